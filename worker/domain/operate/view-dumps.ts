import type { DumpList, DumpManifest } from '#shared/contracts/operate';
import { getManifest, listFolders } from '#worker/data/operate/backups';
import { findWithPredecessors } from '#worker/data/operate/directory';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';

/** Dumps that are listed: those of 35 nights and 13 months. */
const NEWEST = 60;

/**
 * The dumps of an account's clinic, oldest first, with those of the clinics that it was put back from. `clinic`: its
 * number, where the account leads to none any more. Null: no clinic is meant.
 */
export async function viewDumps(deps: Deps, account: number, clinic: number | null): Promise<DumpList | null> {
  const { installation, backups } = deps;
  const numbers =
    clinic !== null
      ? [clinic]
      : account === INSTALLATION
        ? [INSTALLATION]
        : await findWithPredecessors(installation, account);
  if (numbers.length === 0) return null;
  const folders = (await Promise.all(numbers.map((number) => listFolders(backups, number)))).flat().slice(-NEWEST);
  const manifests = await Promise.all(
    folders.map(async (folder) => [folder, await getManifest(backups, folder)] as const),
  );
  const dumps = manifests.flatMap(([folder, manifest]) => {
    if (manifest?.account !== account) return [];
    const { at, acts, ledgerCents, counts } = manifest;
    return [{ folder, at, acts, ledgerCents, rows: Object.values(counts).reduce((sum, n) => sum + n, 0) }];
  });
  return { dumps: dumps.sort((a, b) => a.at - b.at) };
}

/** What a dump has; null: there is none of that name, or it was never finished. */
export const findManifest = ({ backups }: Deps, folder: string): Promise<DumpManifest | null> =>
  getManifest(backups, folder);
