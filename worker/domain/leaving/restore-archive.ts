import { MAX_TRAILER_LENGTH, parseArchiveTrailer } from '#shared/archive';
import type { ArchiveManifest } from '#shared/contracts/staff/archive-and-closing';
import { isArchiveSignature } from '#worker/clinic/capability-keys';
import { countFiles, folderOfClinic, readManifest, saveManifest } from '#worker/data/leaving/archives';
import { deletePrefix } from '#worker/data/operate/erase';
import type { ExportRow } from '#worker/data/operate/export';
import { putSignature } from '#worker/data/preview/signatures';
import type { Deps } from '#worker/deps';
import { beginRestoration, endRestoration, findRestoration, restoreRows } from '#worker/domain/operate/restore';
import type { BeginOutcome, EndOutcome, PutOutcome } from '#worker/domain/operate/restore-installation';
import { unpack } from '#worker/files/zip';

/** The number of rows that are restored together. */
const ROWS_PER_BATCH = 250;

export type BeginArchiveOutcome =
  | (Extract<BeginOutcome, { kind: 'begun' }> & { parts: number[] })
  | Exclude<BeginOutcome, { kind: 'begun' }>
  /** The last part is not signed by this installation. */
  | { kind: 'not-ours' }
  | { kind: 'of-another'; account: number };

/**
 * Begins to restore an archive from its last part, which has the manifest and a signature that only this installation
 * can create. The other parts are checked against the manifest, so that nothing else can be restored.
 */
export async function beginArchiveRestore(
  deps: Deps,
  account: number,
  lastPart: Uint8Array<ArrayBuffer>,
): Promise<BeginArchiveOutcome> {
  const manifest = await manifestIn(deps, lastPart);
  if (!manifest) return { kind: 'not-ours' };
  if (manifest.account !== account) return { kind: 'of-another', account: manifest.account };
  const outcome = await beginRestoration(deps, account, manifest.schema);
  if (outcome.kind !== 'begun') return outcome;
  await saveManifest(deps.media, outcome.clinic, manifest);
  return { ...outcome, parts: manifest.parts.map(({ bytes }) => bytes) };
}

async function manifestIn({ settings }: Deps, lastPart: Uint8Array<ArrayBuffer>): Promise<ArchiveManifest | null> {
  // Each byte becomes one character, so that none is skipped.
  const archiveEnd = parseArchiveTrailer(String.fromCharCode(...lastPart.slice(-MAX_TRAILER_LENGTH)));
  if (
    !archiveEnd ||
    !isArchiveSignature(settings.CAPABILITY_KEYS, lastPart.slice(0, -archiveEnd.signature.length), archiveEnd.signature)
  )
    return null;
  for await (const { name, content } of unpack(lastPart))
    if (name === 'manifest.json') return JSON.parse(new TextDecoder().decode(content)) as ArchiveManifest;
  return null;
}

/**
 * Restores a part of the archive: rows to their tables, pictures to the bucket. Everything else is derived from these.
 */
export async function restorePart(
  deps: Deps,
  clinic: number,
  part: number,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<PutOutcome> {
  const manifest = await readManifest<ArchiveManifest>(deps.media, clinic);
  const expected = manifest?.parts[part];
  if (!manifest || !expected || !(await findRestoration(deps, clinic))) return { kind: 'not-found' };
  if ((await deps.sha256(bytes)) !== expected.sha256)
    return { kind: 'refused', reason: 'it is not as it was exported' };
  for await (const { name, content } of unpack(bytes)) {
    const outcome = await putFile(deps, clinic, manifest.account, name, content);
    if (outcome.kind !== 'back') return outcome;
  }
  return { kind: 'back' };
}

async function putFile(
  deps: Deps,
  clinic: number,
  account: number,
  name: string,
  content: Uint8Array,
): Promise<PutOutcome> {
  if (name.startsWith(`signatures/${account}/`)) await putSignature(deps.media, name, content);
  const [, table] = /^tables\/([a-z_]+)-\d+\.ndjson$/.exec(name) ?? [];
  if (!table) return { kind: 'back' };
  const lines = new TextDecoder().decode(content).split('\n');
  const rows = lines.flatMap((line) => (line ? [JSON.parse(line) as ExportRow] : []));
  for (let from = 0; from < rows.length; from += ROWS_PER_BATCH) {
    const outcome = await restoreRows(deps, clinic, table, rows.slice(from, from + ROWS_PER_BATCH));
    if (outcome.kind !== 'back') return outcome;
  }
  return { kind: 'back' };
}

/** Ends the restore of an archive once all its contents are restored. */
export async function endArchiveRestore(deps: Deps, clinic: number, account: number): Promise<EndOutcome> {
  const { media } = deps;
  const manifest = await readManifest<ArchiveManifest>(media, clinic);
  if (!manifest || manifest.account !== account) return { kind: 'not-found' };
  const { counts, ledgerCents, beganAt, files } = manifest;
  const pictures = await countFiles(media, `signatures/${account}/`);
  if (pictures < files.signatures)
    return { kind: 'differs', differences: [`${pictures} pictures are there of ${files.signatures}`] };
  const outcome = await endRestoration(deps, clinic, { account, counts, ledgerCents, asOf: beganAt });
  if (outcome.kind === 'ended') await deletePrefix(media, folderOfClinic(clinic));
  return outcome;
}
