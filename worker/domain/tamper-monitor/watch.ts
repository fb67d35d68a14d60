import { compare } from '#shared/tamper-monitor/compare';
import { type Inventory, scriptInventory } from '#shared/tamper-monitor/inventory';
import { ONE_YEAR } from '#worker/data/schema/lifetime';
import { claimInsideRun, dropRuns } from '#worker/data/tamper-monitor/runs';
import { dropVersions, listApproved } from '#worker/data/tamper-monitor/script-versions';
import type { Deps } from '#worker/deps';
import { lookInside, originsOf } from './look-inside.ts';
import { noteRun } from './note-run.ts';

const EVERY_MS = 6 * 3_600_000;
const BROKEN_MS = 10 * 60_000;
/** Rows of a kind that one run deletes. */
const DROPPED = 50;

/**
 * Every six hours: compare the pay page that is deployed, and the provider's script, with docs/script-inventory.json and
 * the approved versions. It blocks nothing: docs/pci.md says what a person does. Throws when a page or the database cannot
 * be read; the look is then tried again after ten minutes.
 */
export async function watchPayPage(deps: Deps, inventory: Inventory = scriptInventory): Promise<void> {
  const { db, media, payPage } = deps;
  if (!payPage) return;
  const [id, startedAt] = [deps.newId(), deps.now()];
  if (!(await claimInsideRun(db, { id, now: startedAt, everyMs: EVERY_MS, brokenMs: BROKEN_MS }))) return;
  const { seen, versions } = await lookInside(deps, await payPage());
  const findings = compare(seen, {
    inventory,
    origins: originsOf(deps),
    approved: new Set(await listApproved(db)),
    files: null,
    isWhole: true,
  });
  await noteRun(deps, { id, source: 'inside', startedAt, browser: '', seen, findings, versions });
  await dropRuns(db, media, startedAt - ONE_YEAR, DROPPED);
  await dropVersions(db, media, startedAt - ONE_YEAR, DROPPED);
}
