/** Reads a signature (PNG) from anyone, so it checks everything. Pure; throws only SignatureError. */

import type { Chunk, Header } from './ink.ts';
import { hasInk } from './ink.ts';

/** `isBlank`: a good image without a stroke that anybody could see. */
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
/** Chunks that an image needs; text, EXIF, colour profiles and private chunks are dropped. */
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

const notPng = () => new SignatureError('The signature must be a PNG image.');
const unreadable = () => new SignatureError('The signature could not be read.');
const tooLarge = () => new SignatureError('The signature image is too large.');

/** Turns a data URL into the bytes to store. Throws SignatureError with a message for the signer. */
export async function readSignature(dataUrl: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!dataUrl.startsWith(PREFIX)) throw notPng();
  const base64 = dataUrl.slice(PREFIX.length);
  if (base64.length > Math.ceil(MAX_BYTES / 3) * 4) throw tooLarge();
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64)) throw unreadable();
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  if (MAGIC.some((byte, at) => bytes[at] !== byte)) throw notPng();

  const chunks = chunksOf(bytes);
  const header = chunks[0];
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw unreadable();
  const image = headerOf(header.data);
  if (image.width > MAX_WIDTH || image.height > MAX_HEIGHT) throw tooLarge();
  const pixels = await inflate(chunks, image);
  if (!hasInk(pixels, image, chunks)) throw new SignatureError('Please sign before paying.', true);
  return join(bytes, chunks);
}

/** The kept chunks up to IEND; bytes after IEND are dropped. */
function chunksOf(bytes: Uint8Array<ArrayBuffer>): Chunk[] {
  const view = new DataView(bytes.buffer);
  const chunks: Chunk[] = [];
  let start = MAGIC.length;
  while (start + 12 <= bytes.length) {
    const length = view.getUint32(start);
    const end = start + 12 + length;
    if (end > bytes.length) break;
    const type = String.fromCharCode(...bytes.subarray(start + 4, start + 8));
    if (view.getUint32(end - 4) !== crc32(bytes.subarray(start + 4, end - 4))) throw unreadable();
    if (KEPT.has(type)) chunks.push({ type, data: bytes.subarray(start + 8, end - 4), start, end });
    if (type === 'IEND') return chunks;
    start = end;
  }
  throw unreadable();
}

function headerOf(data: Uint8Array<ArrayBuffer>): Header {
  const view = new DataView(data.buffer, data.byteOffset);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, colour = -1, , , interlace] = data.subarray(8);
  const channels = CHANNELS[colour];
  if (!width || !height || depth !== 8 || !channels || interlace !== 0) throw unreadable();
  return { width, height, colour, channels, rowBytes: width * channels };
}

/** Inflates no further than the header promised: a small file may unpack to gigabytes. */
async function inflate(chunks: Chunk[], { height, rowBytes }: Header): Promise<Uint8Array> {
  const expected = height * (rowBytes + 1);
  const packed = new Blob(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const pixels = new Uint8Array(expected);
  let filled = 0;
  try {
    for await (const part of packed.stream().pipeThrough(new DecompressionStream('deflate'))) {
      if (filled + part.length > expected) throw unreadable();
      pixels.set(part, filled);
      filled += part.length;
    }
  } catch {
    throw unreadable();
  }
  if (filled !== expected) throw unreadable();
  return pixels;
}

function join(bytes: Uint8Array<ArrayBuffer>, chunks: Chunk[]): Uint8Array<ArrayBuffer> {
  const size = chunks.reduce((sum, { start, end }) => sum + end - start, MAGIC.length);
  const out = new Uint8Array(size);
  out.set(MAGIC);
  let at = MAGIC.length;
  for (const { start, end } of chunks) {
    out.set(bytes.subarray(start, end), at);
    at += end - start;
  }
  return out;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 255] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
