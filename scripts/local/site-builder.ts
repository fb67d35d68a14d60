import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import * as z from 'zod/mini';
import type { BuildReportBody } from '#shared/contracts/content/content-request';
import { builtPath } from '#shared/paths';
import { reasonOf, reportLocalBuild } from './report-build.ts';
import type { Local } from './settings.ts';
import { makeBuild, siteFolder } from './site-build.ts';
import { showBuilt, swapSite } from './swap-site.ts';

const HookCall = z.object({ build: z.string(), revision: z.number() });
const Built = z.object({ revision: z.number() });
type Call = z.infer<typeof HookCall>;

const SERVE_WAIT_MS = 60_000;

export type SiteBuilder = { hookUrl: string; ask(call: Call): void };

/**
 * The local deploy hook: a POST to its address builds the site, as in production. Builds run sequentially, and calls
 * during a build share the next one. Reports progress to the product, as any builder does.
 */
export async function startSiteBuilder(local: Local, say: (message: string) => void): Promise<SiteBuilder> {
  // The address is the secret, because other programs on this machine may call it too.
  const hookPath = `/${randomBytes(18).toString('base64url')}`;
  let nextCall: Call | undefined;
  let isBusy = false;

  const work = async () => {
    if (isBusy) return;
    isBusy = true;
    while (nextCall) {
      const call = nextCall;
      nextCall = undefined;
      await build(local, call, say);
    }
    isBusy = false;
  };

  const ask = (call: Call) => {
    nextCall = call;
    void work();
  };

  const server = createServer(async (request, response) => {
    const call = request.method === 'POST' && request.url === hookPath ? await readCall(request) : null;
    response.writeHead(call ? 202 : 404).end();
    if (!call) return;
    ask(call);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port for the deploy hook');
  server.unref();
  return { hookUrl: `http://127.0.0.1:${address.port}${hookPath}`, ask };
}

async function readCall(request: AsyncIterable<Buffer>): Promise<Call | null> {
  let text = '';
  for await (const part of request) {
    text += String(part);
    if (text.length > 10_000) return null;
  }
  try {
    return HookCall.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

async function build(local: Local, { build: id, revision }: Call, say: (message: string) => void): Promise<void> {
  const { appUrl, vars } = local;
  const report = (body: BuildReportBody) =>
    reportLocalBuild({ appUrl, buildSecret: vars.BUILD_SECRET ?? '' }, id, body);
  try {
    const before = await servedRevision(local);
    if (before >= revision) return await report({ state: 'built', revision: before });
    say(`building the site for revision ${revision}`);
    const startedAt = Date.now();
    const next = `${siteFolder(local.state)}-next`;
    await makeBuild(local, next, progressOf(report));
    await report({ state: 'building', progress: 95, step: 'Going live' });
    const [from, to] = [path.join(next, 'client'), path.join(siteFolder(local.state), 'client')];
    const mark = `_astro/${id}.txt`;
    const { changed, removed } = swapSite(from, to, mark);
    await waitUntilServed(`${local.appUrl}/${mark}`);
    showBuilt(from, to);
    rmSync(path.join(to, mark));
    const built = Built.parse(JSON.parse(readFileSync(path.join(next, 'client', builtPath), 'utf8')));
    await report({ state: 'built', revision: built.revision });
    const time = ((Date.now() - startedAt) / 1000).toFixed(1);
    say(
      `the site is live at revision ${built.revision}: ${changed.length} files new, ${removed.length} gone, ${time} s`,
    );
  } catch (cause) {
    say(`the site was not built: ${cause instanceof Error ? cause.message : String(cause)}`);
    await report({ state: 'failed', reason: reasonOf(cause) });
  }
}

/** The revision that the running site shows. */
async function servedRevision({ appUrl }: Local): Promise<number> {
  const response = await fetch(`${appUrl}${builtPath}`);
  return response.ok ? Built.parse(await response.json()).revision : -1;
}

async function waitUntilServed(url: string): Promise<void> {
  const end = Date.now() + SERVE_WAIT_MS;
  for (;;) {
    const response = await fetch(url).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return;
    if (Date.now() > end) throw new Error('the server does not serve the new build');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Progress of a build, from its output. The parts take about equally long on a small site. */
const STEPS: [sign: RegExp, progress: number, step: string][] = [
  [/Collecting build info/, 5, 'Reading the site'],
  [/Building server entrypoints/, 15, 'Building pages and scripts'],
  [/prerendering static routes/, 60, 'Writing pages'],
  [/Rearranging server assets/, 90, 'Putting files in order'],
];

function progressOf(report: (body: BuildReportBody) => Promise<void>): (line: string) => void {
  let last = 0;
  let pages = 0;
  let reportedAt = 0;
  return (line) => {
    const match = STEPS.find(([sign]) => sign.test(line));
    const isPage = /├─|└─/.test(line);
    if (isPage) pages++;
    if (!isPage && (!match || match[1] <= last)) return;
    if (match) last = Math.max(last, match[1]);
    // Pages follow each other too fast to report each one.
    if (isPage && Date.now() - reportedAt < 500) return;
    reportedAt = Date.now();
    const step = isPage ? `Writing pages, ${pages} so far` : (match?.[2] ?? '');
    void report({ state: 'building', progress: isPage ? Math.min(89, 60 + pages / 2) : last, step });
  };
}
