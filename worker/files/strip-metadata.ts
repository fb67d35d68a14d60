import { crc32 } from './crc32.ts';

/**
 * A checked image. `width` and `height`: its size in pixels as displayed; `parts`: the parts of the upload to store,
 * still encoded.
 */
export type CheckedImage = { width: number; height: number; parts: Uint8Array<ArrayBuffer>[]; isAnimated: boolean };
export type Bytes = Uint8Array<ArrayBuffer>;

/** Thrown if a file is damaged or is not of the type that it claims to be. */
export class FileError extends Error {}

export const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

export const textAt = (bytes: Bytes, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length));

/** Returns a slice without copying. Throws FileError if it extends beyond the bytes. */
export function cut(bytes: Bytes, from: number, to: number): Bytes {
  if (from < 0 || to < from || to > bytes.length) throw new FileError('the file ends too early');
  return bytes.subarray(from, to);
}

const PNG_CHUNKS = new Set('IHDR PLTE tRNS IDAT IEND gAMA cHRM sRGB iCCP sBIT pHYs bKGD acTL fcTL fdAT'.split(' '));

/**
 * Removes texts, times, private chunks and trailing bytes from a PNG. Of its EXIF data, only the orientation is kept,
 * as in a JPEG. Throws FileError.
 */
export function readPng(bytes: Bytes): CheckedImage {
  const view = viewOf(bytes);
  const parts: Bytes[] = [cut(bytes, 0, 8)];
  const types = new Set<string>();
  let orientation = 1;
  for (let at = 8; !types.has('IEND'); ) {
    cut(bytes, at, at + 12);
    const type = textAt(bytes, at + 4, 4);
    if (!/^[A-Za-z]{4}$/.test(type) || (types.size === 0) !== (type === 'IHDR')) throw new FileError('no such chunk');
    const chunk = cut(bytes, at, at + 12 + view.getUint32(at));
    if (PNG_CHUNKS.has(type)) parts.push(chunk);
    if (type === 'eXIf') orientation = readOrientation(chunk.subarray(8, -4)) ?? orientation;
    types.add(type);
    at += chunk.length;
  }
  if (!types.has('IDAT') || view.getUint32(8) !== 13) throw new FileError('no picture in it');
  // The chunk comes after IHDR, because it must precede the image data.
  if (orientation !== 1) parts.splice(2, 0, pngChunk('eXIf', orientationTiff(orientation)));
  return {
    ...displayedSize(orientation, view.getUint32(16), view.getUint32(20)),
    parts,
    isAnimated: types.has('acTL'),
  };
}

/** Checks that a GIF's blocks are complete, and removes comments and application blocks. Throws FileError. */
export function readGif(bytes: Bytes): CheckedImage {
  const view = viewOf(bytes);
  cut(bytes, 0, 13);
  const [width, height, flags] = [view.getUint16(6, true), view.getUint16(8, true), bytes[10] ?? 0];
  let at = 13 + colorTableBytes(flags);
  const parts: Bytes[] = [cut(bytes, 0, at)];
  let frameCount = 0;
  for (;;) {
    const [introducer] = cut(bytes, at, at + 1);
    const from = at;
    if (introducer === 0x3b) break;
    if (introducer === 0x21) {
      at = endOfBlocks(bytes, at + 2);
      const program = textAt(bytes, from + 3, 11);
      const label = bytes[from + 1];
      if (label === 0xf9 || (label === 0xff && /^(NETSCAPE2\.0|ANIMEXTS1\.0)$/.test(program)))
        parts.push(cut(bytes, from, at));
    } else if (introducer === 0x2c) {
      const [tableFlags = 0] = cut(bytes, at + 9, at + 10);
      at += 10 + colorTableBytes(tableFlags);
      const [codeSize = 0] = cut(bytes, at, at + 1);
      if (codeSize < 1 || codeSize > 11) throw new FileError('no such code size');
      at = endOfBlocks(bytes, at + 1);
      parts.push(cut(bytes, from, at));
      frameCount++;
    } else throw new FileError('no such block');
  }
  if (frameCount === 0) throw new FileError('no picture in it');
  parts.push(cut(bytes, at, at + 1));
  return { width, height, parts, isAnimated: frameCount > 1 };
}

const colorTableBytes = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function endOfBlocks(bytes: Bytes, from: number): number {
  for (let at = from; ; ) {
    const [length = 0] = cut(bytes, at, at + 1);
    at += 1 + length;
    if (length === 0) return at;
  }
}

const WEBP_CHUNKS = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** VP8X flags for EXIF and XMP chunks. */
const METADATA_FLAGS = 0x0c;

/** Removes the metadata from a WebP. Throws FileError. */
export function readWebp(bytes: Bytes): CheckedImage {
  const view = viewOf(bytes);
  cut(bytes, 0, 20);
  const end = 8 + view.getUint32(4, true);
  cut(bytes, 0, end);
  const chunks: Bytes[] = [];
  let size: { width: number; height: number } | undefined;
  let hasPicture = false;
  let isAnimated = false;
  for (let at = 12; at + 8 <= end; ) {
    const type = textAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    const chunk = cut(bytes, at, Math.min(at + 8 + length + (length % 2), end));
    if (chunk.length < 8 + length) throw new FileError('a chunk ends too early');
    if (WEBP_CHUNKS.has(type)) {
      const cleaned = type === 'VP8X' ? chunk.slice() : chunk;
      if (type === 'VP8X') cleaned[8] = (cleaned[8] ?? 0) & ~METADATA_FLAGS;
      chunks.push(cleaned);
    }
    size ??= webpSize(type, chunk);
    isAnimated ||= type === 'ANIM' || type === 'ANMF';
    hasPicture ||= type === 'VP8 ' || type === 'VP8L' || type === 'ANMF';
    at += chunk.length;
  }
  if (!size || !hasPicture) throw new FileError('no picture in it');
  const header = cut(bytes, 0, 12).slice();
  viewOf(header).setUint32(4, 4 + chunks.reduce((sum, { length }) => sum + length, 0), true);
  return { ...size, parts: [header, ...chunks], isAnimated };
}

function webpSize(type: string, chunk: Bytes): { width: number; height: number } | undefined {
  const view = viewOf(chunk);
  if (type === 'VP8X' && chunk.length >= 18) {
    const side = (from: number) => view.getUint16(from, true) + ((chunk[from + 2] ?? 0) << 16) + 1;
    return { width: side(12), height: side(15) };
  }
  if (type === 'VP8 ' && chunk.length >= 18 && textAt(chunk, 11, 3) === '\x9d\x01\x2a')
    return { width: view.getUint16(14, true) & 0x3fff, height: view.getUint16(16, true) & 0x3fff };
  if (type === 'VP8L' && chunk.length >= 13 && chunk[8] === 0x2f) {
    const bits = view.getUint32(9, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return undefined;
}

/**
 * Removes the metadata from a JPEG: location, time, camera, thumbnails, comments. Keeps the color profile and the EXIF
 * orientation, because the pixels are not rotated. Bytes between two segments are dropped; decoders skip them too.
 * Throws FileError.
 */
export function readJpeg(bytes: Bytes): CheckedImage {
  const view = viewOf(bytes);
  const parts: Bytes[] = [cut(bytes, 0, 2)];
  let size: { width: number; height: number } | undefined;
  let orientation = 1;
  let scans = 0;
  let at = 2;
  for (;;) {
    cut(bytes, at, at + 2);
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff || marker === 0 || marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) break;
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) {
      at += 2;
      continue;
    }
    cut(bytes, at, at + 4);
    const end = at + 2 + view.getUint16(at + 2);
    const segment = cut(bytes, at, end);
    if (segment.length < 4) throw new FileError('a segment of no length');
    if (marker === 0xe1 && textAt(segment, 4, 6) === 'Exif\0\0')
      orientation = readOrientation(segment.subarray(10)) ?? orientation;
    if (isFrame(marker)) {
      cut(bytes, at, at + 9);
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    if (isKeptSegment(marker, segment)) parts.push(segment);
    at = end;
    if (marker === 0xda) {
      scans++;
      const from = at;
      at = endOfScan(bytes, at);
      parts.push(cut(bytes, from, at));
    }
  }
  if (!size || scans === 0) throw new FileError('no picture in it');
  parts.push(cut(bytes, at, at + 2));
  if (orientation !== 1) parts.splice(1, 0, orientationSegment(orientation));
  return { ...displayedSize(orientation, size.width, size.height), parts, isAnimated: false };
}

/** With an orientation of 5 or more, the picture is rotated by 90 degrees. */
const displayedSize = (orientation: number, width: number, height: number) =>
  orientation >= 5 ? { width: height, height: width } : { width, height };

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function isKeptSegment(marker: number, segment: Bytes): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  return marker === 0xe0 || marker === 0xee || (marker === 0xe2 && textAt(segment, 4, 11) === 'ICC_PROFILE');
}

/** Returns the end of a scan's data: the next marker that is neither stuffing nor a restart. */
function endOfScan(bytes: Bytes, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw new FileError('the picture has no end');
}

const ORIENTATION = 0x0112;

/** Returns the orientation in EXIF data, or undefined if absent. */
function readOrientation(tiff: Bytes): number | undefined {
  if (tiff.length < 14) return undefined;
  const view = viewOf(tiff);
  const isLittleEndian = textAt(tiff, 0, 2) === 'II';
  const start = view.getUint32(4, isLittleEndian);
  if (start + 2 > tiff.length) return undefined;
  const entries = view.getUint16(start, isLittleEndian);
  for (let entry = start + 2; entry + 12 <= tiff.length && entry < start + 2 + entries * 12; entry += 12) {
    if (view.getUint16(entry, isLittleEndian) !== ORIENTATION) continue;
    const orientation = view.getUint16(entry + 8, isLittleEndian);
    return orientation >= 1 && orientation <= 8 ? orientation : undefined;
  }
  return undefined;
}

/** Returns EXIF data that contain only the orientation. */
const orientationTiff = (orientation: number): number[] => [
  ...[0x4d, 0x4d, 0x00, 0x2a, 0x00, 0x00, 0x00, 0x08, 0x00, 0x01],
  ...[0x01, 0x12, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, orientation, 0x00, 0x00],
  ...[0x00, 0x00, 0x00, 0x00],
];

/** Returns the JPEG segment that contains the orientation. */
const orientationSegment = (orientation: number): Bytes =>
  Uint8Array.from([0xff, 0xe1, 0x00, 0x22, 0x45, 0x78, 0x69, 0x66, 0x00, 0x00, ...orientationTiff(orientation)]);

function pngChunk(type: string, data: number[]): Bytes {
  const chunk = new Uint8Array(12 + data.length);
  chunk.set(
    [...type].map((letter) => letter.charCodeAt(0)),
    4,
  );
  chunk.set(data, 8);
  viewOf(chunk).setUint32(0, data.length);
  viewOf(chunk).setUint32(8 + data.length, crc32(chunk.subarray(4, -4)));
  return chunk;
}
