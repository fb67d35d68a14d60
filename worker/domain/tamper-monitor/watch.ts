import type { MonitorFinding, ObservedPage } from '#shared/contracts/operators/monitor';
import {
  comparePayPage,
  type Inventory,
  inlineHash,
  inventoryName,
  type Origins,
  PROVIDER_SCRIPT,
  scriptInventory,
} from '#shared/tamper-monitor';
import { GOOGLE_PAY_SCRIPT } from '#shared/wallet-origins';
import { acceptsGooglePay } from '#worker/data/directory/status-reports';
import type { MonitorSource } from '#worker/data/schema/monitoring';
import { ONE_YEAR } from '#worker/data/schema/table';
import { claimInsideRun, deleteOldRuns, endRun, putEvidence } from '#worker/data/tamper-monitor/runs';
import {
  deleteOldVersions,
  listApprovedHashes,
  type SeenVersion,
  saveVersions,
} from '#worker/data/tamper-monitor/script-versions';
import type { Deps, PayPageParts } from '#worker/deps';

const INLINE_SCRIPT = /<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g;
const ENTRY_FILE = /(?:<script[^>]*\bsrc|\b(?:component|renderer|before-hydration)-url)="([^"]+)"/g;
const IMPORTED_FILE = /["'`]\.\/([\w.-]+\.js)["'`]/g;
/** The number of tries for a third-party script, and the pause between two tries (ms). */
const MAX_TRIES = 3;
const PAUSE_MS = 2_000;

const allMatches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

export const originsOf = ({ settings, gateway }: Pick<Deps, 'settings' | 'gateway'>): Origins => ({
  app: settings.APP_URL,
  provider: gateway.browser.origin,
});

type DeployedCheck = { seen: ObservedPage; versions: SeenVersion[] };

/** The pay page as served by this Worker, with every script that it can load, including third-party ones. */
export async function checkDeployedFiles(deps: Deps, payPage: PayPageParts): Promise<DeployedCheck> {
  const page = await payPage.page();
  const html = await page.text();
  const inline = await Promise.all(
    allMatches(html, INLINE_SCRIPT).map(async (code) => inlineHash(await deps.sha256(code))),
  );
  const files = await readFiles(deps, payPage, html);
  const thirdPartyScripts = [await readThirdPartyScript(deps, PROVIDER_SCRIPT, payPage.providerScript)];
  if (await acceptsGooglePay(deps.db))
    thirdPartyScripts.push(await readThirdPartyScript(deps, GOOGLE_PAY_SCRIPT, payPage.googleScript));
  return {
    seen: {
      scripts: [...files, ...thirdPartyScripts.map(({ script }) => script)],
      inline: [...new Set(inline)],
      headers: Object.fromEntries(page.headers),
      frames: [],
      connections: [],
    },
    versions: thirdPartyScripts.flatMap(({ versions }) => versions),
  };
}

/** The hashes of our own files of the page, by their names in the inventory. */
export async function deployedFiles(deps: Deps, payPage: PayPageParts): Promise<Record<string, string>> {
  const html = await (await payPage.page()).text();
  const files = await readFiles(deps, payPage, html);
  return Object.fromEntries(files.flatMap(({ name, sha256 }) => (sha256 === null ? [] : [[name, sha256]])));
}

/** The scripts that a page names, and all their imports, static or dynamic. */
async function readFiles(deps: Deps, payPage: PayPageParts, html: string): Promise<ObservedPage['scripts']> {
  const visited = new Map<string, ObservedPage['scripts'][number]>();
  const visit = async (path: string): Promise<void> => {
    const name = inventoryName(new URL(path, deps.settings.APP_URL).href, originsOf(deps));
    if (visited.has(name)) return;
    // Added before it is read, since files import each other.
    visited.set(name, { name, status: 0, type: '', bytes: 0, sha256: null });
    if (!path.startsWith('/')) return;
    const answer = await payPage.file(path);
    const body = new Uint8Array(await answer.arrayBuffer());
    const type = answer.headers.get('content-type') ?? '';
    const sha256 = answer.ok ? await deps.sha256(body) : null;
    visited.set(name, { name, status: answer.status, type, bytes: body.byteLength, sha256 });
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    for (const fileName of allMatches(new TextDecoder().decode(body), IMPORTED_FILE))
      await visit(`${folder}${fileName}`);
  };
  for (const entry of allMatches(html, ENTRY_FILE)) await visit(entry);
  return [...visited.values()];
}

type ThirdPartyScript = { script: ObservedPage['scripts'][number]; versions: SeenVersion[] };

async function readThirdPartyScript(
  deps: Deps,
  name: string,
  read: PayPageParts['providerScript'],
): Promise<ThirdPartyScript> {
  let answer = await read();
  for (let tries = 1; tries < MAX_TRIES && (answer === 'unavailable' || answer.status >= 500); tries++) {
    await deps.pause(PAUSE_MS);
    answer = await read();
  }
  const script = { name, status: 0, type: '', bytes: 0, sha256: null };
  if (answer === 'unavailable') return { script, versions: [] };
  const { status, type, body } = answer;
  const sha256 = await deps.sha256(body);
  // An error page is not a version of the script.
  const isScript = status === 200 && /javascript/i.test(type);
  return {
    script: { ...script, status, type, bytes: body.byteLength, sha256 },
    versions: isScript ? [{ sha256, type, body }] : [],
  };
}

/** The maximum number of findings stored per run; a page with more must be checked by a person anyway. */
const MAX_FINDINGS = 40;
/** Maximum length of a subject in the log. */
const MAX_SUBJECT_LENGTH = 200;

export type MonitorRun = {
  id: string;
  source: MonitorSource;
  /** UTC ms. */
  startedAt: number;
  /** Name and version; empty for a run without a browser. */
  browser: string;
  seen: ObservedPage;
  findings: MonitorFinding[];
  versions: SeenVersion[];
};

/**
 * Stores a run with its evidence, and alerts on new findings. Evidence and script bodies are stored before the rows
 * that name them. Returns the number of new findings.
 */
export async function saveRun(deps: Deps, run: MonitorRun): Promise<number> {
  const { db, media, now, newId, log } = deps;
  const { id, source, startedAt, browser, seen, findings, versions } = run;
  await saveVersions(db, media, versions, now());
  const evidenceKey = await putEvidence(media, id, startedAt, { id, source, startedAt, browser, seen, findings });
  const newFindings = await endRun(db, {
    id,
    source,
    startedAt,
    finishedAt: now(),
    evidenceKey,
    findings: findings.slice(0, MAX_FINDINGS).map((finding) => ({ ...finding, id: newId() })),
  });
  for (const { kind, subject } of newFindings) {
    log.alert(kind === 'script-changed' ? kind : 'pay-page-differs', {
      source,
      kind,
      subject: subject.slice(0, MAX_SUBJECT_LENGTH),
    });
  }
  return newFindings.length;
}

const INTERVAL_MS = 6 * 3_600_000;
const RETRY_MS = 10 * 60_000;
/** The maximum number of rows of a kind that one run deletes. */
const MAX_DELETED = 50;

/**
 * Compares the deployed pay page and the third-party scripts with docs/script-inventory.json and the approved versions
 * every six hours. It blocks nothing; docs/pci.md describes what a person does. Throws if a page or the database cannot
 * be read; the run is then retried after ten minutes.
 */
export async function watchPayPage(deps: Deps, inventory: Inventory = scriptInventory): Promise<void> {
  const { db, media, payPage } = deps;
  if (!payPage) return;
  const [id, startedAt] = [deps.newId(), deps.now()];
  if (!(await claimInsideRun(db, { id, now: startedAt, everyMs: INTERVAL_MS, failedAfterMs: RETRY_MS }))) return;
  const { seen, versions } = await checkDeployedFiles(deps, await payPage());
  const findings = comparePayPage(seen, {
    inventory,
    origins: originsOf(deps),
    approved: new Set(await listApprovedHashes(db)),
    files: null,
    followsImports: true,
  });
  await saveRun(deps, { id, source: 'inside', startedAt, browser: '', seen, findings, versions });
  await deleteOldRuns(db, media, startedAt - ONE_YEAR, MAX_DELETED);
  await deleteOldVersions(db, media, startedAt - ONE_YEAR, MAX_DELETED);
}
