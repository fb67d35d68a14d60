import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import type { MonitorFinding } from '#shared/contracts/operators/monitor';
import { monitorLimits } from '#shared/limits';
import { comparePayPage, scriptInventory } from '#shared/tamper-monitor';
import { callsOf, type Installation } from './installation.ts';
import { checkLivePages, type Look } from './look.ts';

export type Run = {
  findings: MonitorFinding[];
  /** Path of the evidence. */
  file: string;
  /** Numbers of compared scripts, inline scripts, headers, frames and origins. */
  counts: Record<string, number>;
};

/**
 * Checks the pay page once: compares it with this folder's inventory, the approved versions and our deployed files,
 * stores the evidence in `folder`, and reports the result. Throws if the installation does not accept the report; the
 * evidence is written by then.
 */
export async function runMonitor(browser: Browser, installation: Installation, folder: string): Promise<Run> {
  const startedAt = Date.now();
  const origins = { app: installation.appUrl, provider: installation.provider };
  const calls = callsOf(installation);
  const { approved, files } = await calls.state();
  const { seen, foreign, hasForm, isShown } = await checkFirstForm(browser, installation);
  const expected = { inventory: scriptInventory, origins, files, followsImports: false, approved: new Set(approved) };
  // A page without a form is a different page, with other headers and no script.
  const findings = hasForm ? comparePayPage(seen, expected) : [];
  if (!isShown) findings.push(NOT_SHOWN);
  const name = `Chromium ${browser.version()}`;
  const page = `${origins.app}/make/payment/{payId}`;
  const file = saveEvidence(folder, { startedAt, page, browser: name, seen, findings });
  const versions = foreign
    .filter(({ sha256, body }) => body.byteLength <= monitorLimits.script && !approved.includes(sha256))
    .map(({ sha256, type, body }) => ({ sha256, type, body: body.toString('base64') }));
  await calls.report({ browser: name, seen, findings: findings.slice(0, monitorLimits.entries), versions });
  const { scripts, inline, headers, frames, connections } = seen;
  const counts = {
    scripts: scripts.length,
    'inline scripts': inline.length,
    headers: Object.keys(headers).length,
    frames: frames.length,
    origins: connections.length,
  };
  return { findings, file, counts };
}

const NOT_SHOWN: MonitorFinding = {
  kind: 'page-not-shown',
  subject: '/make/payment/{payId}',
  expected: 'a form with the provider’s frame',
  seen: 'none: the link is paid or over, the pay page is paused, or the provider’s script did not run',
};

/** The result for the first link whose page has a form, or for the last link if none has. */
async function checkFirstForm(browser: Browser, { appUrl, provider, links }: Installation): Promise<Look> {
  let look: Look | undefined;
  for (const link of links) {
    look = await checkLivePages(browser, link, { app: appUrl, provider });
    if (look.hasForm) return look;
  }
  if (!look) throw new Error('give a permanent test link: --link or MONITOR_LINK');
  return look;
}

function saveEvidence(folder: string, evidence: { startedAt: number; [name: string]: unknown }): string {
  mkdirSync(folder, { recursive: true });
  const at = new Date(evidence.startedAt).toISOString().replaceAll(':', '-');
  const file = path.join(folder, `pay-page-${at}.json`);
  writeFileSync(file, `${JSON.stringify({ at: new Date(evidence.startedAt), ...evidence }, null, 2)}\n`);
  return file;
}
