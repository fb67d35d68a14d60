import { type Bytes, cut, FileError, type ReadImage, textAt, viewOf } from './bytes.ts';

const PNG_KEPT = new Set('IHDR PLTE tRNS IDAT IEND gAMA cHRM sRGB iCCP sBIT pHYs bKGD acTL fcTL fdAT'.split(' '));

/** Strips a PNG of texts, times, private chunks and anything behind its end. Throws FileError. */
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
