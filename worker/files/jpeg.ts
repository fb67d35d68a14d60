import { type Bytes, cut, FileError, type ReadImage, textAt, viewOf } from './bytes.ts';

/**
 * Strips a JPEG of metadata: place, time, camera, thumbnails, comments. The colour profile stays, and so does the EXIF
 * orientation, since the pixels are not touched. Throws FileError.
 */
export function readJpeg(bytes: Bytes): ReadImage {
  const view = viewOf(bytes);
  const parts: Bytes[] = [cut(bytes, 0, 2)];
  let size: { width: number; height: number } | undefined;
  let turn = 1;
  let scans = 0;
  let at = 2;
  for (;;) {
    cut(bytes, at, at + 2);
    if (bytes[at] !== 0xff) throw new FileError('no marker where one must be');
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at++;
      continue;
    }
    if (marker === 0xd9) break;
    cut(bytes, at, at + 4);
    const end = at + 2 + view.getUint16(at + 2);
    const segment = cut(bytes, at, end);
    if (segment.length < 4) throw new FileError('a segment of no length');
    if (marker === 0xe1) turn = turnIn(segment) ?? turn;
    if (isFrame(marker)) {
      cut(bytes, at, at + 9);
      size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    if (isKept(marker, segment)) parts.push(segment);
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
  if (turn !== 1) parts.splice(1, 0, turned(turn));
  const { width, height } = size;
  return turn >= 5 ? { width: height, height: width, parts } : { width, height, parts };
}

const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

function isKept(marker: number, segment: Bytes): boolean {
  if (marker === 0xfe) return false;
  if (marker < 0xe0 || marker > 0xef) return true;
  return marker === 0xe0 || marker === 0xee || (marker === 0xe2 && textAt(segment, 4, 11) === 'ICC_PROFILE');
}

/** The end of a scan's data: the next marker that is neither stuffing nor a restart. */
function endOfScan(bytes: Bytes, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  throw new FileError('the picture has no end');
}

const ORIENTATION = 0x0112;

/** The EXIF orientation; undefined when absent. */
function turnIn(segment: Bytes): number | undefined {
  if (textAt(segment, 4, 6) !== 'Exif\0\0' || segment.length < 24) return undefined;
  const tiff = segment.subarray(10);
  const view = viewOf(tiff);
  const isLittle = textAt(tiff, 0, 2) === 'II';
  const start = view.getUint32(4, isLittle);
  if (start + 2 > tiff.length) return undefined;
  const entries = view.getUint16(start, isLittle);
  for (let entry = start + 2; entry + 12 <= tiff.length && entry < start + 2 + entries * 12; entry += 12) {
    if (view.getUint16(entry, isLittle) !== ORIENTATION) continue;
    const turn = view.getUint16(entry + 8, isLittle);
    return turn >= 1 && turn <= 8 ? turn : undefined;
  }
  return undefined;
}

/** An EXIF segment with only the orientation. */
const turned = (turn: number): Bytes =>
  Uint8Array.from([
    ...[0xff, 0xe1, 0x00, 0x22, 0x45, 0x78, 0x69, 0x66, 0x00, 0x00],
    ...[0x4d, 0x4d, 0x00, 0x2a, 0x00, 0x00, 0x00, 0x08, 0x00, 0x01],
    ...[0x01, 0x12, 0x00, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, turn, 0x00, 0x00],
    ...[0x00, 0x00, 0x00, 0x00],
  ]);
