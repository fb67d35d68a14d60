import { type Bytes, cut, FileError, type ReadImage, textAt, viewOf } from './bytes.ts';

const PNG_KEPT = new Set('IHDR PLTE tRNS IDAT IEND gAMA cHRM sRGB iCCP sBIT pHYs bKGD acTL fcTL fdAT'.split(' '));

/** A PNG up to its end and without its texts, times and private chunks. */
export function readPng(bytes: Bytes): ReadImage {
  const view = viewOf(bytes);
  const parts: Bytes[] = [cut(bytes, 0, 8)];
  const seen = new Set<string>();
  for (let at = 8; !seen.has('IEND'); ) {
    cut(bytes, at, at + 12);
    const type = textAt(bytes, at + 4, 4);
    if (!/^[A-Za-z]{4}$/.test(type) || (seen.size === 0) !== (type === 'IHDR')) throw new FileError('no such chunk');
    const chunk = cut(bytes, at, at + 12 + view.getUint32(at));
    if (PNG_KEPT.has(type)) parts.push(chunk);
    seen.add(type);
    at += chunk.length;
  }
  if (!seen.has('IDAT') || view.getUint32(8) !== 13) throw new FileError('no picture in it');
  return { width: view.getUint32(16), height: view.getUint32(20), parts };
}

const WEBP_KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** Of VP8X: that EXIF and XMP follow. */
const METADATA_FLAGS = 0x0c;

/** A WebP without its metadata. */
export function readWebp(bytes: Bytes): ReadImage {
  const view = viewOf(bytes);
  cut(bytes, 0, 20);
  const end = 8 + view.getUint32(4, true);
  cut(bytes, 0, end);
  const chunks: Bytes[] = [];
  let size: { width: number; height: number } | undefined;
  let hasPicture = false;
  for (let at = 12; at + 8 <= end; ) {
    const type = textAt(bytes, at, 4);
    const length = view.getUint32(at + 4, true);
    const chunk = cut(bytes, at, Math.min(at + 8 + length + (length % 2), end));
    if (chunk.length < 8 + length) throw new FileError('a chunk ends too early');
    if (WEBP_KEPT.has(type)) {
      const own = type === 'VP8X' ? chunk.slice() : chunk;
      if (type === 'VP8X') own[8] = (own[8] ?? 0) & ~METADATA_FLAGS;
      chunks.push(own);
    }
    size ??= webpSize(type, chunk);
    hasPicture ||= type === 'VP8 ' || type === 'VP8L' || type === 'ANMF';
    at += chunk.length;
  }
  if (!size || !hasPicture) throw new FileError('no picture in it');
  const head = cut(bytes, 0, 12).slice();
  viewOf(head).setUint32(4, 4 + chunks.reduce((sum, { length }) => sum + length, 0), true);
  return { ...size, parts: [head, ...chunks] };
}

function webpSize(type: string, chunk: Bytes): { width: number; height: number } | undefined {
  const view = viewOf(chunk);
  if (type === 'VP8X' && chunk.length >= 18) {
    const at = (from: number) => view.getUint16(from, true) + ((chunk[from + 2] ?? 0) << 16) + 1;
    return { width: at(12), height: at(15) };
  }
  if (type === 'VP8 ' && chunk.length >= 18 && textAt(chunk, 11, 3) === '\x9d\x01\x2a')
    return { width: view.getUint16(14, true) & 0x3fff, height: view.getUint16(16, true) & 0x3fff };
  if (type === 'VP8L' && chunk.length >= 13 && chunk[8] === 0x2f) {
    const bits = view.getUint32(9, true);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return undefined;
}

/** A GIF whose blocks follow each other to the end, without comments and programs' own blocks. */
export function readGif(bytes: Bytes): ReadImage {
  const view = viewOf(bytes);
  cut(bytes, 0, 13);
  const [width, height, flags] = [view.getUint16(6, true), view.getUint16(8, true), bytes[10] ?? 0];
  let at = 13 + colours(flags);
  const parts: Bytes[] = [cut(bytes, 0, at)];
  let pictures = 0;
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
      const [local = 0] = cut(bytes, at + 9, at + 10);
      at += 10 + colours(local);
      const [codeSize = 0] = cut(bytes, at, at + 1);
      if (codeSize < 1 || codeSize > 11) throw new FileError('no such code size');
      at = endOfBlocks(bytes, at + 1);
      parts.push(cut(bytes, from, at));
      pictures++;
    } else throw new FileError('no such block');
  }
  if (pictures === 0) throw new FileError('no picture in it');
  parts.push(cut(bytes, at, at + 1));
  return { width, height, parts };
}

const colours = (flags: number): number => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);

function endOfBlocks(bytes: Bytes, from: number): number {
  for (let at = from; ; ) {
    const [length = 0] = cut(bytes, at, at + 1);
    at += 1 + length;
    if (length === 0) return at;
  }
}
