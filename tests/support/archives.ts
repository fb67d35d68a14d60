import { MAX_TRAILER_LENGTH, parseArchiveTrailer } from '#shared/archive';
import type { ArchiveManifest } from '#shared/contracts/staff/archive-and-closing';
import type { ArchiveKind } from '#worker/data/schema/operate';
import type { Deps } from '#worker/deps';
import { fetchPart, makeArchives, requestArchive, viewArchive } from '#worker/domain/leaving/archive';
import { beginArchiveRestore, endArchiveRestore, restorePart } from '#worker/domain/leaving/restore-archive';
import { concatBytes, unpack } from '#worker/files/zip';
import type { ClinicWorld } from './operate-world.ts';

/** Lets the clinic's schedule run, a minute at a time, until a download is ready. */
export async function untilReady({ clock }: Pick<ClinicWorld, 'clock'>, deps: Deps, kind: ArchiveKind): Promise<void> {
  for (let turns = 0; turns < 30 && (await viewArchive(deps, kind)).state !== 'ready'; turns++) {
    await makeArchives(deps);
    clock.now += 60_000;
  }
}

/** Fetches all parts of a finished download. */
export async function fetchParts(deps: Deps, accountId: number, kind: ArchiveKind): Promise<Uint8Array<ArrayBuffer>[]> {
  const { id, parts } = await viewArchive(deps, kind);
  const contents: Uint8Array<ArrayBuffer>[] = [];
  for (let part = 0; part < parts; part++) {
    const stored = await fetchPart(deps, { accountId, kind, id: id ?? '', part });
    if (!stored) throw new Error(`part ${part} is missing`);
    contents.push(new Uint8Array(await stored.arrayBuffer()));
  }
  return contents;
}

/** Requests a clinic's download, waits until it is ready and returns the file. */
export async function makeArchive(world: ClinicWorld, deps: Deps, kind: ArchiveKind): Promise<Uint8Array<ArrayBuffer>> {
  await requestArchive(deps, world.accountId, kind);
  await untilReady(world, deps, kind);
  return concatBytes(await fetchParts(deps, world.accountId, kind));
}

/** Unpacks an archive into its files by name; pictures become Latin-1 text. */
export async function filesIn(archive: Uint8Array<ArrayBuffer>): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for await (const { name, content } of unpack(archive))
    files[name] = new TextDecoder(name.endsWith('.png') ? 'latin1' : 'utf-8').decode(content);
  return files;
}

export const manifestIn = (files: Record<string, string>): ArchiveManifest =>
  JSON.parse(files['manifest.json'] ?? 'null') as ArchiveManifest;

/** The offset of an archive's last part; -1 if the archive has none. */
export const lastPartOffset = (archive: Uint8Array): number =>
  parseArchiveTrailer(String.fromCharCode(...archive.slice(-MAX_TRAILER_LENGTH)))?.at ?? -1;

/** Restores an archive as the operator's program does and returns the new clinic's number. Throws any refusal. */
export async function restoreArchive(
  { installation, accountId }: Pick<ClinicWorld, 'installation' | 'accountId'>,
  archive: Uint8Array<ArrayBuffer>,
): Promise<number> {
  const start = await beginArchiveRestore(installation, accountId, archive.slice(lastPartOffset(archive)));
  if (start.kind !== 'begun') throw new Error(start.kind);
  let from = 0;
  for (const [part, bytes] of start.parts.entries()) {
    const restored = await restorePart(installation, start.clinic, part, archive.slice(from, from + bytes));
    if (restored.kind !== 'back') throw new Error(JSON.stringify(restored));
    from += bytes;
  }
  const end = await endArchiveRestore(installation, start.clinic, accountId);
  if (end.kind !== 'ended') throw new Error(JSON.stringify(end));
  return start.clinic;
}
