import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inputHash, siteFolder } from '#scripts/local/site-build';

/** A built site and the host in its pages. Other processes of a run find it through the environment. */
type Lent = { folder: string; host: string };
const NAME = 'TILLWAY_TEST_SITE';

export const isSiteLent = (): boolean => process.env[NAME] !== undefined;

/** Saves a product's built site for later products of this run, because the build takes most of a start. */
export function lendSite(state: string, appUrl: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-site-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(siteFolder(state), folder, { recursive: true });
  process.env[NAME] = JSON.stringify({ folder, host: new URL(appUrl).host } satisfies Lent);
}

/** Copies the saved site into a new state folder, as if it had been built for this URL. */
export function borrowSite(state: string, appUrl: string): void {
  const { folder, host } = JSON.parse(process.env[NAME] ?? '{}') as Lent;
  const site = siteFolder(state);
  cpSync(folder, site, { recursive: true });
  for (const page of globSync('client/**/*.{html,xml,txt}', { cwd: site })) {
    const text = readFileSync(path.join(site, page), 'utf8');
    if (text.includes(host)) writeFileSync(path.join(site, page), text.replaceAll(host, new URL(appUrl).host));
  }
  writeFileSync(path.join(site, 'inputs.sha256'), inputHash(appUrl));
}
