import { type Bytes, cut, FileError, type ReadImage, textAt, viewOf } from './bytes.ts';

/** Checks that a GIF's blocks are complete and drops comments and application blocks. Throws FileError. */
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
