import { noteFiles } from '#worker/data/operate/dumps';
import { FILES, filesTables, nextFiles } from '#worker/data/operate/files';
import { copyFile } from '#worker/data/operate/paired-bucket';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { DumpRow } from '#worker/data/schema/dumps';
import type { Deps } from '#worker/deps';

/**
 * Copy the files that new rows name, signatures or what the content area shows, beside the dumps. True: there are no
 * more; false: the next turn goes on. Files never change, so each is copied once.
 */
export async function copyFiles(deps: Deps, dump: DumpRow): Promise<boolean> {
  const { db, media, backups, clinic } = deps;
  const places = JSON.parse(dump.files) as Record<string, number>;
  const tables = filesTables(clinic === INSTALLATION ? 'installation' : 'clinic');
  for (const [table, query] of Object.entries(tables)) {
    const found = await nextFiles(db, query, places[table] ?? 0);
    const last = found.at(-1);
    if (!last) continue;
    for (const key of found.flatMap(({ keys }) => keys)) if (key) await copyFile(media, backups, key);
    places[table] = last.place;
    await noteFiles(db, places);
    if (found.length === FILES) return false;
  }
  return true;
}
