import type { ArchiveManifest } from '#shared/contracts/staff/archive-and-closing';
import { operator } from '#shared/operator';
import {
  getFile,
  nextReceipts,
  nextReferenced,
  type ReferencingKind,
  referencingTables,
} from '#worker/data/leaving/archives';
import { columnsOmittedFrom, exportTables, type RowKey, readPiece } from '#worker/data/operate/export';
import type { ArchiveKind } from '#worker/data/schema/operate';
import type { Deps } from '#worker/deps';
import { note, oneLine, senderBlock, sheet, table } from '#worker/domain/mail/letter';
import { type Receipt, receiptFrom } from '#worker/domain/mail/receipt';
import { receiptFacts } from '#worker/domain/mail/receipt-mail';
import { concatBytes, directoryRecord, entryOf, type PackedFile, pack } from '#worker/files/zip';

/** The README of an archive. */
export const readmeText = (business: string): string => `All records of ${business} in ${operator.name}.

tables/      one text for each 500 rows, a row per line as JSON. Money is in cents, times are milliseconds since
             1970-01-01 UTC. invoices, contacts and companies are copies of the CRM; payment_attempts are payments and
             tries, ledger the money that moved, reversals voids and refunds, outbox the mails, audit_events the trail of
             who did what with its seals in audit_seals. signatures/  images, named by payment_attempts.signature_key and invoice_signatures.image_key
receipts/    the receipt of each payment, by the number of its invoice
files/       the SHA-256 of each image and receipt
manifest.json  rows of each table, the SHA-256 of each text, and what is left out, with the reason

It holds what patients and payers told: names, addresses, amounts, signatures. Keep it as you keep your books.
${operator.name} can put it back only as it is: do not change a byte of it.
`;

/** Matches the characters that are unsafe in file names. */
const UNSAFE_CHARACTERS = /[^\p{L}\p{N}._-]+/gu;

/** The receipt of a payment as a separate page, without its address, which is a capability. */
export function receiptFile(receipt: Receipt, paymentId: string): { name: string; content: string } {
  const business = oneLine(receipt.business);
  const number = (receipt.number ?? 'invoice').replaceAll(UNSAFE_CHARACTERS, '-').slice(0, 60);
  return {
    name: `receipts/${number}-${paymentId}.html`,
    content: sheet(
      'Receipt',
      senderBlock(business, receipt.businessPhone ?? ''),
      table(receiptFacts(receipt)),
      ...[receipt.said, receipt.feeNote].flatMap((text) => (text ? [note(text)] : [])),
      note(receipt.hasSignature ? 'The payer signed; the image is under signatures.' : 'Without a signature.'),
    ),
  };
}

/** The limits per read: rows of a text file, and files or receipts. */
const MAX_ROWS = 500;
const MAX_FILES = 100;
/** A part ends with the entry that reaches this many bytes, so that it fits one call and a Worker's memory. */
const PART_BYTES = 4_000_000;
const MAX_READS = 40;
/** The maximum number of pictures in a part: each takes one call, and the platform limits the calls of a run. */
const MAX_PICTURES = 200;

const FILE_KINDS = ['payments', 'invoices', 'receipts'] as const;

/** The progress of an archive. */
export type Progress = {
  beganAt: number;
  /** The number of the newest event when the archive began. */
  mark: number;
  /** The last row id to read of each table. */
  cuts: Record<string, number>;
  /** Rows and files in total, and completed. */
  total: number;
  done: number;
  /** The current table and the last row read; after the last table, `named` is the current kind of files. */
  table: number;
  after: RowKey | null;
  named: number;
  place: number;
  isWhole: boolean;
  entries: number;
  bytes: number;
} & Pick<ArchiveManifest, 'counts' | 'files' | 'pieces' | 'parts'>;

export const emptyProgress = {
  done: 0,
  table: 0,
  after: null,
  named: 0,
  place: 0,
  isWhole: false,
  entries: 0,
  bytes: 0,
  counts: {},
  files: { signatures: 0, receipts: 0, missing: 0 },
  pieces: [],
  parts: [],
};

export type Part = { bytes: Uint8Array<ArrayBuffer>; lines: Uint8Array<ArrayBuffer> };

/** Returns the part after `previous` and the progress after it. Deterministic: a retry creates the same part. */
export async function nextPart(deps: Deps, kind: ArchiveKind, previous: Progress): Promise<[Part, Progress]> {
  const progress = structuredClone(previous);
  const entries: Uint8Array[] = [];
  const lines: Uint8Array[] = [];
  const add = (packed: PackedFile) => {
    const entry = entryOf(packed);
    lines.push(directoryRecord(packed, progress.bytes));
    entries.push(entry);
    progress.bytes += entry.length;
    progress.entries += 1;
  };
  if (progress.entries === 0) add(await pack('README.txt', readmeText(await businessOf(deps))));
  const isFull = () =>
    progress.bytes - previous.bytes >= PART_BYTES ||
    progress.files.signatures - previous.files.signatures >= MAX_PICTURES;
  for (let reads = 0; reads < MAX_READS && !isFull() && !progress.isWhole; reads++) {
    if (progress.table < exportTables.length) for (const packed of await packRows(deps, kind, progress)) add(packed);
    else if (progress.named < FILE_KINDS.length) for (const packed of await packFiles(deps, progress)) add(packed);
    else progress.isWhole = true;
  }
  const bytes = concatBytes(entries);
  if (bytes.length > 0) progress.parts.push({ bytes: bytes.length, sha256: await deps.sha256(bytes) });
  return [{ bytes, lines: concatBytes(lines) }, progress];
}

const businessOf = async ({ db }: Deps): Promise<string> => (await db.query.accounts.findFirst())?.name ?? '';

/** Packs a text file of the archive and adds it to the manifest. */
async function packText(
  { sha256 }: Deps,
  progress: Progress,
  table: string,
  texts: string[],
  name: string,
): Promise<PackedFile> {
  const text = texts.map((line) => `${line}\n`).join('');
  progress.pieces.push({ name, table, rows: texts.length, sha256: await sha256(text) });
  return pack(name, text);
}

async function packRows(deps: Deps, kind: ArchiveKind, progress: Progress): Promise<PackedFile[]> {
  const table = exportTables[progress.table];
  if (!table) return [];
  const { name } = table;
  const { rows, next } = await readPiece(deps.db, table, {
    after: progress.after,
    limit: table.atOnce ?? MAX_ROWS,
    omitted: columnsOmittedFrom(table, kind === 'clinic'),
    upTo: progress.cuts[name] ?? null,
  });
  const pieceNumber = progress.pieces.filter((piece) => piece.table === name).length;
  progress.counts[name] = (progress.counts[name] ?? 0) + rows.length;
  progress.done += rows.length;
  progress.after = next;
  if (!next) progress.table += 1;
  if (rows.length === 0) return [];
  const lines = rows.map((row) => JSON.stringify(row));
  return [await packText(deps, progress, name, lines, `tables/${name}-${pieceNumber}.ndjson`)];
}

type File = { name: string; content: string | Uint8Array<ArrayBuffer> };

/** The next pictures or receipts, with a text file of their hashes. */
async function packFiles(deps: Deps, progress: Progress): Promise<PackedFile[]> {
  const kind = FILE_KINDS[progress.named];
  if (!kind) return [];
  const range = {
    after: progress.place,
    upTo: progress.cuts[kind === 'receipts' ? 'payment_attempts' : referencingTables[kind]] ?? 0,
    limit: MAX_FILES,
  };
  const foundFiles = await (kind === 'receipts' ? readReceipts(deps, range) : readPictures(deps, kind, range));
  const files = foundFiles.flatMap(({ file }) => file ?? []);
  const packed: PackedFile[] = [];
  const lines: string[] = [];
  for (const { name, content } of files) {
    const packedFile = await pack(name, content);
    packed.push(packedFile);
    lines.push(JSON.stringify({ name, bytes: packedFile.size, sha256: await deps.sha256(content) }));
  }
  progress.files[kind === 'receipts' ? 'receipts' : 'signatures'] += files.length;
  progress.files.missing += foundFiles.length - files.length;
  progress.done += foundFiles.length;
  progress.place = foundFiles.at(-1)?.place ?? progress.place;
  if (foundFiles.length < MAX_FILES) {
    progress.named += 1;
    progress.place = 0;
  }
  if (lines.length === 0) return [];
  const name = `files/${kind}-${progress.pieces.filter(({ table }) => table === `files ${kind}`).length}.ndjson`;
  return [...packed, await packText(deps, progress, `files ${kind}`, lines, name)];
}

type FileRange = Parameters<typeof nextReceipts>[1];
/** `file`: null if the row refers to a file that no longer exists. */
type FoundFile = { place: number; file: File | null };

async function readPictures({ db, media }: Deps, source: ReferencingKind, range: FileRange): Promise<FoundFile[]> {
  const pictures: FoundFile[] = [];
  for (const { place, key } of await nextReferenced(db, source, range)) {
    const content = await getFile(media, key);
    pictures.push({ place, file: content && { name: key, content } });
  }
  return pictures;
}

async function readReceipts({ db, settings, now }: Deps, range: FileRange): Promise<FoundFile[]> {
  return (await nextReceipts(db, range)).map((rows) => {
    const receipt = receiptFrom(rows, settings.APP_URL, { language: 'en', now: now() });
    return { place: rows.place, file: receipt && receiptFile(receipt, rows.attempt.id) };
  });
}
