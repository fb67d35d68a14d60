import { crc32 } from './crc32.ts';

/** Reads and checks signature images (PNG). */

export type Chunk = { type: string; data: Uint8Array<ArrayBuffer>; start: number; end: number };
export type Header = { width: number; height: number; color: number; channels: number; rowBytes: number };

/** Minimum number of ink pixels; fewer are a dot or noise. */
const MIN_PIXELS = 20;
/** Minimum difference in brightness (0 to 255) between paper and ink, so that ink is visible. */
const MIN_CONTRAST = 48;

/**
 * True if enough pixels stand out from the paper when shown on white. The most frequent shade counts as the paper.
 * Never throws. Returns false for an unknown row filter.
 */
export function hasInk(raw: Uint8Array, image: Header, chunks: Chunk[]): boolean {
  const { height, rowBytes, channels } = image;
  const shadeOf = createShadeOf(image, chunks);
  const counts = new Array<number>(256).fill(0);
  let rowAbove: Uint8Array = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1);
    const row = raw.subarray(start + 1, start + 1 + rowBytes);
    if (!unfilter(raw[start] ?? 0, row, rowAbove, channels)) return false;
    for (let x = 0; x < rowBytes; x += channels) {
      const shade = Math.round(shadeOf(row, x));
      counts[shade] = (counts[shade] ?? 0) + 1;
    }
    rowAbove = row;
  }
  const paper = counts.indexOf(Math.max(...counts));
  const inkPixels = counts.reduce(
    (sum, pixels, shade) => sum + (Math.abs(shade - paper) < MIN_CONTRAST ? 0 : pixels),
    0,
  );
  return inkPixels >= MIN_PIXELS;
}

type ShadeOf = (row: Uint8Array, at: number) => number;

/** Returns a function for the brightness of a pixel on white paper (0 to 255), for each PNG color type. */
function createShadeOf({ color }: Header, chunks: Chunk[]): ShadeOf {
  const dataOf = (type: string) => chunks.find((chunk) => chunk.type === type)?.data ?? new Uint8Array();
  const [palette, transparency] = [dataOf('PLTE'), dataOf('tRNS')];
  const byteAt = (bytes: Uint8Array, index: number) => bytes[index] ?? 0;
  const brightness = (bytes: Uint8Array, index: number) =>
    0.299 * byteAt(bytes, index) + 0.587 * byteAt(bytes, index + 1) + 0.114 * byteAt(bytes, index + 2);
  const onWhite = (shade: number, alpha: number) => 255 - ((255 - shade) * alpha) / 255;
  switch (color) {
    case 0:
      return (row, x) => (transparency.length > 0 && byteAt(row, x) === byteAt(transparency, 1) ? 255 : byteAt(row, x));
    case 2:
      return (row, x) =>
        transparency.length > 0 && [1, 3, 5].every((index, n) => byteAt(transparency, index) === byteAt(row, x + n))
          ? 255
          : brightness(row, x);
    case 3:
      return (row, x) => onWhite(brightness(palette, byteAt(row, x) * 3), transparency[byteAt(row, x)] ?? 255);
    case 4:
      return (row, x) => onWhite(byteAt(row, x), byteAt(row, x + 1));
    default:
      return (row, x) => onWhite(brightness(row, x), byteAt(row, x + 3));
  }
}

/** Undoes a row filter in place (PNG specification, section 9.2). Returns false if the filter is unknown. */
function unfilter(kind: number, row: Uint8Array, above: Uint8Array, step: number): boolean {
  for (let x = 0; x < row.length; x++) {
    const left = row[x - step] ?? 0;
    const up = above[x] ?? 0;
    const upperLeft = above[x - step] ?? 0;
    const prediction = [0, left, up, (left + up) >> 1, paeth(left, up, upperLeft)][kind];
    if (prediction === undefined) return false;
    row[x] = ((row[x] ?? 0) + prediction) & 255;
  }
  return true;
}

function paeth(left: number, up: number, corner: number): number {
  const estimate = left + up - corner;
  const [dl, du, dc] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - corner)];
  if (dl <= du && dl <= dc) return left;
  return du <= dc ? up : corner;
}

/** The only error that `readSignature` throws. `isBlank`: the image is valid but has no visible stroke. */
export class SignatureError extends Error {
  readonly isBlank: boolean;

  constructor(message: string, isBlank = false) {
    super(message);
    this.isBlank = isBlank;
  }
}

const PREFIX = 'data:image/png;base64,';
const MAX_BYTES = 200_000;
const MAX_WIDTH = 2000;
const MAX_HEIGHT = 600;
const MAGIC = [137, 80, 78, 71, 13, 10, 26, 10];
/** The chunks that an image needs. Text, EXIF, color profiles and private chunks are dropped. */
const KEPT_CHUNKS = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

const notPngError = () => new SignatureError('The signature must be a PNG image.');
const unreadableError = () => new SignatureError('The signature could not be read.');
const tooLargeError = () => new SignatureError('The signature image is too large.');

/** Converts an untrusted PNG data URL into the bytes to store. Throws SignatureError with a message for the signer. */
export async function readSignature(dataUrl: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!dataUrl.startsWith(PREFIX)) throw notPngError();
  const base64 = dataUrl.slice(PREFIX.length);
  if (base64.length > Math.ceil(MAX_BYTES / 3) * 4) throw tooLargeError();
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) throw unreadableError();
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) throw notPngError();

  const chunks = chunksOf(bytes);
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw unreadableError();
  const image = headerOf(header.data);
  if (image.width > MAX_WIDTH || image.height > MAX_HEIGHT) throw tooLargeError();
  const pixels = await inflate(chunks, image);
  if (!hasInk(pixels, image, chunks)) throw new SignatureError('Please sign before paying.', true);
  return joinChunks(bytes, chunks);
}

/** Returns the chunks to keep, up to IEND; bytes after IEND are dropped. */
function chunksOf(bytes: Uint8Array<ArrayBuffer>): Chunk[] {
  const view = new DataView(bytes.buffer);
  const chunks: Chunk[] = [];
  let start = MAGIC.length;
  while (start + 12 <= bytes.length) {
    const length = view.getUint32(start);
    const end = start + 12 + length;
    if (end > bytes.length) break;
    const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
    if (view.getUint32(end - 4) !== crc32(bytes.subarray(start + 4, end - 4))) throw unreadableError();
    if (KEPT_CHUNKS.has(type)) chunks.push({ type, data: bytes.subarray(start + 8, end - 4), start, end });
    if (type === 'IEND') return chunks;
    start = end;
  }
  throw unreadableError();
}

function headerOf(data: Uint8Array<ArrayBuffer>): Header {
  const view = new DataView(data.buffer, data.byteOffset);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, color = -1, , , interlace] = data.subarray(8);
  const channels = CHANNELS[color];
  if (!width || !height || depth !== 8 || !channels || interlace !== 0) throw unreadableError();
  return { width, height, color, channels, rowBytes: width * channels };
}

/** Inflates no further than the header allows, because a small file may unpack to gigabytes. */
async function inflate(chunks: Chunk[], { height, rowBytes }: Header): Promise<Uint8Array> {
  const expected = height * (rowBytes + 1);
  const packed = new Blob(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = new Uint8Array(expected);
  let filled = 0;
  try {
    for await (const part of packed.stream().pipeThrough(new DecompressionStream('deflate'))) {
      if (filled + part.length > expected) throw unreadableError();
      pixels.set(part, filled);
      filled += part.length;
    }
  } catch {
    throw unreadableError();
  }
  if (filled !== expected) throw unreadableError();
  return pixels;
}

function joinChunks(bytes: Uint8Array<ArrayBuffer>, chunks: Chunk[]): Uint8Array<ArrayBuffer> {
  const size = chunks.reduce((sum, { start, end }) => sum + end - start, MAGIC.length);
  const joinedBytes = new Uint8Array(size);
  joinedBytes.set(MAGIC);
  let at = MAGIC.length;
  for (const { start, end } of chunks) {
    joinedBytes.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  return joinedBytes;
}
