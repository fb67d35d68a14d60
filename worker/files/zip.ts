import { crc32 } from './crc32.ts';

/**
 * Writes and reads ZIP archives of a clinic's records, which consist of consecutive entries followed by their
 * directory. The same entries always produce the same bytes. The format is described in PKWARE's APPNOTE, sections 4.3
 * and 4.5.
 */

/** A packed file. `bytes`: the stored content; `size` and `crc`: those of the unpacked content. */
export type PackedFile = {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  size: number;
  crc: number;
  isDeflated: boolean;
};

const LOCAL_HEADER = 0x04034b50;
const DIRECTORY_RECORD = 0x02014b50;
const END_RECORD = 0x06054b50;
const ZIP64_END_RECORD = 0x06064b50;
const ZIP64_LOCATOR = 0x07064b50;
/** Flag for UTF-8 names. */
const FLAGS = 0x0800;
const STORED = 0;
const DEFLATED = 8;
/** 1 January 1980, the earliest date of the format. Entries carry no real time. */
const DOS_DATE = 0x21;
const MAX_UINT16 = 0xffff;
const MAX_UINT32 = 0xffffffff;

const utf8 = new TextEncoder();
const transform = async (bytes: Uint8Array<ArrayBuffer>, change: CompressionStream | DecompressionStream) =>
  new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(change)).arrayBuffer());

/** Deflates text; binary content is stored as it is. */
export async function pack(name: string, content: string | Uint8Array<ArrayBuffer>): Promise<PackedFile> {
  const isDeflated = typeof content === 'string';
  const plain = isDeflated ? utf8.encode(content) : content;
  const bytes = isDeflated ? await transform(plain, new CompressionStream('deflate-raw')) : plain;
  return { name, bytes, size: plain.length, crc: crc32(plain), isDeflated };
}

/** Encodes little-endian numbers of two, four or eight bytes. */
function encodeNumbers(...fields: [bytes: 2 | 4 | 8, value: number][]): Uint8Array<ArrayBuffer> {
  const encoded = new Uint8Array(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  const view = new DataView(encoded.buffer);
  let at = 0;
  for (const [bytes, value] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else if (bytes === 4) view.setUint32(at, value, true);
    else view.setBigUint64(at, BigInt(value), true);
    at += bytes;
  }
  return encoded;
}

export function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const sharedFields = ({ bytes, size, crc, isDeflated }: PackedFile): [2 | 4, number][] => [
  [2, FLAGS],
  [2, isDeflated ? DEFLATED : STORED],
  [2, 0],
  [2, DOS_DATE],
  [4, crc],
  [4, bytes.length],
  [4, size],
];

/** Returns the archive entry: local header, name and bytes. */
export function entryOf(packed: PackedFile): Uint8Array<ArrayBuffer> {
  const name = utf8.encode(packed.name);
  return concatBytes([
    encodeNumbers([4, LOCAL_HEADER], [2, 20], ...sharedFields(packed), [2, name.length], [2, 0]),
    name,
    packed.bytes,
  ]);
}

/** Returns the directory record of an entry. `offset`: position of its local header in the archive. */
export function directoryRecord(packed: PackedFile, offset: number): Uint8Array<ArrayBuffer> {
  const name = utf8.encode(packed.name);
  const isBeyond32 = offset >= MAX_UINT32;
  const extra = isBeyond32 ? encodeNumbers([2, 1], [2, 8], [8, offset]) : new Uint8Array();
  const head = encodeNumbers(
    ...([[4, DIRECTORY_RECORD], [2, 45], [2, isBeyond32 ? 45 : 20], ...sharedFields(packed)] as [2 | 4, number][]),
    ...([
      [2, name.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
    ] as [2, number][]),
    ...([
      [4, 0],
      [4, isBeyond32 ? MAX_UINT32 : offset],
    ] as [4, number][]),
  );
  return concatBytes([head, name, extra]);
}

/** Returns the end of the archive, after a directory of `size` bytes at `offset`. `comment`: ASCII. */
export function archiveEnd(
  { entries, size, offset }: { entries: number; size: number; offset: number },
  comment: string,
): Uint8Array<ArrayBuffer> {
  const isLarge = entries >= MAX_UINT16 || size >= MAX_UINT32 || offset >= MAX_UINT32;
  const large = concatBytes([
    encodeNumbers([4, ZIP64_END_RECORD], [8, 44], [2, 45], [2, 45], [4, 0], [4, 0]),
    encodeNumbers([8, entries], [8, entries], [8, size], [8, offset]),
    encodeNumbers([4, ZIP64_LOCATOR], [4, 0], [8, offset + size], [4, 1]),
  ]);
  const n = Math.min(entries, MAX_UINT16);
  const end = encodeNumbers(
    ...([
      [4, END_RECORD],
      [2, 0],
      [2, 0],
      [2, n],
      [2, n],
    ] as [2 | 4, number][]),
    ...([
      [4, Math.min(size, MAX_UINT32)],
      [4, Math.min(offset, MAX_UINT32)],
      [2, comment.length],
    ] as [2 | 4, number][]),
  );
  return concatBytes([...(isLarge ? [large] : []), end, utf8.encode(comment)]);
}

export type UnpackedFile = { name: string; content: Uint8Array<ArrayBuffer> };

/**
 * Yields the files of consecutive entries, and stops at the first bytes that are not an entry. Throws if an entry is
 * damaged.
 */
export async function* unpack(bytes: Uint8Array<ArrayBuffer>): AsyncGenerator<UnpackedFile> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + 30 <= bytes.length && view.getUint32(at, true) === LOCAL_HEADER; ) {
    const method = view.getUint16(at + 8, true);
    const [crc, storedSize, size] = [14, 18, 22].map((offset) => view.getUint32(at + offset, true));
    const from = at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true);
    const name = new TextDecoder().decode(bytes.slice(at + 30, at + 30 + view.getUint16(at + 26, true)));
    at = from + (storedSize ?? 0);
    const packed = bytes.slice(from, at);
    const content = method === DEFLATED ? await transform(packed, new DecompressionStream('deflate-raw')) : packed;
    if (content.length !== size || crc32(content) !== crc) throw new Error(`${name} is not as it was packed`);
    yield { name, content };
  }
}
