import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dataUrl, png } from '#tests/support/content/png';
import { readSignature } from './signature.ts';

const drawSignature = (width = 40, height = 150) =>
  png({ width, height, pixel: (x) => (x === 5 ? [19, 34, 29, 255] : [0, 0, 0, 0]) });

describe('readSignature', () => {
  it('keeps a drawn signature, without unneeded chunks', async () => {
    const clean = drawSignature();
    const pngWithComment = png({
      width: 40,
      height: 150,
      pixel: (x) => (x === 5 ? [19, 34, 29, 255] : [0, 0, 0, 0]),
      extraChunks: [['tEXt', new TextEncoder().encode('Comment\0<script>')]],
    });
    expect(await readSignature(dataUrl(pngWithComment))).toEqual(clean);
  });

  it('drops bytes after the end of the image', async () => {
    const clean = drawSignature();
    const pngWithTrailer = new Uint8Array([...clean, ...new TextEncoder().encode('<html>')]);
    expect(await readSignature(dataUrl(pngWithTrailer))).toEqual(clean);
  });

  it.each([
    ['another kind of image', 'data:image/svg+xml,<svg/>', 'The signature must be a PNG image.'],
    [
      'JPEG bytes under a PNG name',
      dataUrl(Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 0, 0, 0)),
      'The signature must be a PNG image.',
    ],
    [
      'a huge size in the header',
      dataUrl(png({ width: 30_000, height: 30_000, data: deflateSync(new Uint8Array(10)) })),
      'The signature image is too large.',
    ],
    ['more than 200 kB', `data:image/png;base64,${'A'.repeat(280_000)}`, 'The signature image is too large.'],
    ['a truncated image', dataUrl(drawSignature().slice(0, -20)), 'The signature could not be read.'],
    [
      'broken base64',
      `${dataUrl(drawSignature()).slice(0, 60)}\n${dataUrl(drawSignature()).slice(60)}`,
      'The signature could not be read.',
    ],
    [
      'a changed byte',
      dataUrl(drawSignature().map((byte, index) => (index === 45 ? byte ^ 1 : byte))),
      'The signature could not be read.',
    ],
    [
      'a small file that unpacks to much more',
      dataUrl(png({ width: 10, height: 10, data: deflateSync(new Uint8Array(5_000_000)) })),
      'The signature could not be read.',
    ],
    [
      'fewer pixels than in the header',
      dataUrl(png({ width: 10, height: 10, data: deflateSync(new Uint8Array(41)) })),
      'The signature could not be read.',
    ],
    [
      'a blank transparent image',
      dataUrl(png({ width: 40, height: 150, pixel: () => [0, 0, 0, 0] })),
      'Please sign before paying.',
    ],
    [
      'a blank white image',
      dataUrl(png({ width: 40, height: 150, pixel: () => [255, 255, 255, 255] })),
      'Please sign before paying.',
    ],
  ])('rejects %s', async (_case, url, message) => {
    await expect(readSignature(url)).rejects.toThrow(message);
  });
});
