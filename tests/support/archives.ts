import { ARCHIVE_END, archiveEndIn } from '#shared/archive';
import type { ArchiveManifest } from '#shared/contracts/staff/leaving';
import type { ArchiveKind } from '#worker/data/schema/operate';
import type { Deps } from '#worker/deps';
import { askArchive, fetchPart, makeArchives, viewArchive } from '#worker/domain/leaving/archive';
import { beginArchive, endArchive, restorePart } from '#worker/domain/leaving/restore-archive';
import { joined, unpack } from '#worker/files/zip';
import type { ClinicWorld } from './operate-world.ts';

/** Turns of the clinic's clock until a download is ready. */
export async function untilReady({ clock }: Pick<ClinicWorld, 'clock'>, own: Deps, kind: ArchiveKind): Promise<void> {
  for (let turns = 0; turns < 30 && (await viewArchive(own, kind)).state !== 'ready'; turns++) {
    await makeArchives(own);
    clock.now += 60_000;
  }
}

/** All parts of a download that is ready. */
export async function fetched(own: Deps, accountId: number, kind: ArchiveKind): Promise<Uint8Array<ArrayBuffer>[]> {
  const { id, parts } = await viewArchive(own, kind);
  const found: Uint8Array<ArrayBuffer>[] = [];
  for (let part = 0; part < parts; part++) {
    const stored = await fetchPart(own, { accountId, kind, id: id ?? '', part });
    if (!stored) throw new Error(`part ${part} is missing`);
    found.push(new Uint8Array(await stored.arrayBuffer()));
  }
  return found;
}

/** A clinic's download, from the first press to the file. */
export async function archived(world: ClinicWorld, own: Deps, kind: ArchiveKind): Promise<Uint8Array<ArrayBuffer>> {
  await askArchive(own, world.accountId, kind);
  await untilReady(world, own, kind);
  return joined(await fetched(own, world.accountId, kind));
}

/** The files of an archive; pictures as Latin-1 text. */
export async function filesIn(archive: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, content } of unpack(archive))
    files[name] = new TextDecoder(name.endsWith('.png') ? 'latin1' : 'utf-8').decode(content);
  return files;
}

export const manifestIn = (files: Record<string, string>): ArchiveManifest =>
  JSON.parse(files['manifest.json'] ?? 'null') as ArchiveManifest;

/** Where the last part of an archive begins. */
export const lastPartAt = (archive: Uint8Array): number =>
  archiveEndIn(String.fromCharCode(...archive.slice(-ARCHIVE_END)))?.at ?? -1;

/** Puts an archive back as the operator's program does; answers the new clinic's number. Throws what was refused. */
export async function restoredFromArchive(
  { installation, accountId }: Pick<ClinicWorld, 'installation' | 'accountId'>,
  archive: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const begun = await beginArchive(installation, accountId, archive.slice(lastPartAt(archive)));
  if (begun.kind !== 'begun') throw new Error(begun.kind);
  let from = 0;
  for (const [part, bytes] of begun.parts.entries()) {
    const put = await restorePart(installation, begun.clinic, part, archive.slice(from, from + bytes));
    if (put.kind !== 'back') throw new Error(JSON.stringify(put));
    from += bytes;
  }
  const ended = await endArchive(installation, begun.clinic, accountId);
  if (ended.kind !== 'ended') throw new Error(JSON.stringify(ended));
  return begun.clinic;
}
