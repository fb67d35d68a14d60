import { type Bytes, cut, FileError, type ReadImage, textAt, viewOf } from './bytes.ts';

const WEBP_KEPT = new Set(['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF', 'ICCP']);
/** VP8X flags: EXIF and XMP follow. */
const METADATA_FLAGS = 0x0c;

/** Strips a WebP of its metadata. Throws FileError. */
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
