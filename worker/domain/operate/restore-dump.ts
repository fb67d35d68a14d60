import { getManifest, getPacked } from '#worker/data/operate/backups';
import type { ExportRow } from '#worker/data/operate/export';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { type Ended, endRestoration, type PutOutcome, restoreDumped } from './restore.ts';
import { endInstallationOf } from './restore-installation.ts';

/** Rows of a piece that are put back together. */
const AT_ONCE = 250;

/** Put a piece of a dump back, by its place in the manifest. `bent`: it is not as it was written. */
export async function restorePiece(
  deps: Deps,
  clinic: number,
  folder: string,
  at: number,
): Promise<PutOutcome | { kind: 'bent' }> {
  const { backups, sha256 } = deps;
  const piece = (await getManifest(backups, folder))?.pieces[at];
  const text = piece ? await getPacked(backups, piece.key) : null;
  if (!piece || text === null) return { kind: 'not-found' };
  if ((await sha256(text)) !== piece.sha256) return { kind: 'bent' };
  const rows = text.split('\n').flatMap((line) => (line ? [(JSON.parse(line) as { row: ExportRow }).row] : []));
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    const outcome = await restoreDumped(deps, clinic, piece.table, rows.slice(from, from + AT_ONCE));
    if (outcome.kind !== 'back') return outcome;
  }
  return { kind: 'back' };
}

/** End a restore of a dump, as its manifest has it. */
export async function endRestorationOf(deps: Deps, clinic: number, account: number, folder: string): Promise<Ended> {
  const manifest = await getManifest(deps.backups, folder);
  if (!manifest || manifest.account !== account || (clinic === INSTALLATION) !== (account === INSTALLATION))
    return { kind: 'not-found' };
  if (clinic === INSTALLATION) return endInstallationOf(deps, manifest);
  return endRestoration(deps, clinic, { ...manifest, asOf: manifest.beganAt });
}
