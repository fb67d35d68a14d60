import { describe, expect, it } from 'vitest';
import { bytesOf, gif, jpeg, PLACE, pdf, pdfObjects, pdfStream, taggedPng, webp } from '#tests/support/content/images';
import { png } from '#tests/support/content/png';
import { randomFrom } from '#tests/support/seeded-random';
import { readUpload, type Upload } from './read-upload.ts';

const readAccepted = async (bytes: Uint8Array<ArrayBuffer>): Promise<Upload> => {
  const upload = await readUpload(bytes);
  if (typeof upload === 'string') throw new Error(upload);
  return upload;
};
const latin1Of = (bytes: Uint8Array) => new TextDecoder('latin1').decode(bytes);
const joinBytes = (parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => [...part]));

describe('a PDF', () => {
  it('is accepted regardless of its compressed data, at any size', async () => {
    const { below } = randomFrom(7);
    const randomBytes = Uint8Array.from({ length: 3_000_000 }, () => below(256));
    const body = pdfStream(randomBytes);
    for (const name of ['/JS ', '/JavaScript ', '<script>']) {
      const streamPart = bytesOf(`%PDF-1.7\n${pdfStream(bytesOf(`x${name}y`))}\n`);
      expect(await readUpload(joinBytes([streamPart, bytesOf(`${body}\n%%EOF\n`)])), name).toMatchObject({
        extension: 'pdf',
      });
    }
  });

  it.each([
    ['XML in the comments of a reviewer', '3 0 obj <</RC (<?xml?><body xmlns="x"><p>Good</p></body>)>> endobj'],
    ['a text about scripts', '3 0 obj <</Contents (see \\(a\\) /JS and (b) /Launch)>> endobj'],
    ['a name that only begins like JS or Launch', '3 0 obj <</JSON 1 /Launcher 2>> endobj'],
    ['packed objects without a script', pdfObjects('5 0 <</Type /Page>>')],
    ['packed objects that cannot be read', pdfStream(bytesOf('encrypted'), '/Type /ObjStm ')],
    ['a parenthesis in a comment', '%(\n3 0 obj <</Contents (/JS)>> endobj'],
  ])('is accepted with %s', async (_case, body) => {
    expect(await readUpload(pdf(body))).toMatchObject({ extension: 'pdf' });
  });

  it('is accepted with other bytes before its header, as in PDF readers', async () => {
    expect(await readUpload(bytesOf(`\r\n\x00mail${latin1Of(pdf())}`))).toMatchObject({ extension: 'pdf' });
    expect(await readUpload(bytesOf(`${'x'.repeat(2000)}${latin1Of(pdf())}`))).toBe('unknown-type');
  });

  it.each([
    ['in its structure', '<</OpenAction <</S /JavaScript /JS (app.alert(1))>>>>'],
    ['after a text with an unclosed parenthesis', '3 0 obj <</Contents (open /JS 4 0 R>> endobj'],
    ['in packed objects after others', `${pdfObjects('5 0 <</Type /Page>>')} ${pdfObjects('6 0 <</S /Launch>>')}`],
    ['in what looks like a stream without an end', '3 0 obj <<>>\nstream\n<</S /JavaScript>>'],
  ])('is refused with a script %s', async (_case, body) => {
    expect(await readUpload(pdf(body))).toBe('pdf-acts');
  });

  it('is refused as damaged if its end is missing', async () => {
    expect(await readUpload(bytesOf('%PDF-1.7\n1 0 obj <<>> endobj'))).toBe('broken');
  });
});

describe('a picture', () => {
  const rotatedExif = bytesOf('II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0');

  it('keeps the orientation of a PNG and nothing else of its EXIF data', async () => {
    const exif = joinBytes([rotatedExif, bytesOf(PLACE)]);
    const upload = await readAccepted(png({ width: 60, height: 40, extraChunks: [['eXIf', exif]] }));
    expect(upload.image).toEqual({ width: 40, height: 60 });
    const storedBytes = joinBytes(upload.parts);
    expect(latin1Of(storedBytes)).not.toContain('GPS');
    expect(latin1Of(storedBytes).indexOf('eXIf')).toBeLessThan(latin1Of(storedBytes).indexOf('IDAT'));
    const secondUpload = await readAccepted(storedBytes);
    expect([secondUpload.image, joinBytes(secondUpload.parts)]).toEqual([upload.image, storedBytes]);
  });

  it('distinguishes animated PNG and WebP from still ones', async () => {
    const animatedPng = png({ width: 60, height: 40, extraChunks: [['acTL', bytesOf('\0\0\0\x02\0\0\0\0')]] });
    expect((await readAccepted(animatedPng)).isAnimated).toBe(true);
    expect((await readAccepted(png({ width: 60, height: 40 }))).isAnimated).toBe(false);
    expect((await readAccepted(webp({ isAnimated: true }))).isAnimated).toBe(true);
    expect((await readAccepted(webp())).isAnimated).toBe(false);
  });

  it('is stored without the stray bytes between the segments of a JPEG', async () => {
    const validJpeg = jpeg();
    const second = latin1Of(validJpeg).indexOf('\xff\xed');
    const jpegWithStrayBytes = joinBytes([
      validJpeg.subarray(0, second),
      bytesOf('\0<script>\xff\0\xff\xd0'),
      validJpeg.subarray(second),
    ]);
    const upload = await readAccepted(jpegWithStrayBytes);
    expect(upload.image).toEqual({ width: 60, height: 40 });
    expect(joinBytes(upload.parts)).toEqual(joinBytes((await readAccepted(validJpeg)).parts));
  });
});

describe('generated files', () => {
  const { below, pick } = randomFrom(1902);
  const tail = '<script>';
  const makers = {
    png: (size: { width: number; height: number }) => taggedPng(size.width, size.height, tail),
    jpeg: (size: { width: number; height: number }) => jpeg({ ...size, tail }),
    webp: (size: { width: number; height: number }) => webp({ ...size, tail }),
    gif: (size: { width: number; height: number }) => gif({ ...size, tail }),
  };

  it.each(Object.entries(makers))('keep their size and lose their metadata: %s', async (_format, make) => {
    for (let n = 0; n < 40; n++) {
      const size = { width: 1 + below(300), height: 1 + below(300) };
      const upload = await readAccepted(make(size));
      expect(upload.image).toEqual(size);
      const storedBytes = joinBytes(upload.parts);
      expect(latin1Of(storedBytes)).not.toMatch(/GPS|script/);
      const secondUpload = await readAccepted(storedBytes);
      expect([secondUpload.image, joinBytes(secondUpload.parts)]).toEqual([size, storedBytes]);
    }
  });

  /** Cuts, overwrites, inserts or repeats some bytes. */
  function damage(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
    const at = below(bytes.length);
    const length = below(40);
    const noise = Uint8Array.from({ length }, () => pick([0, 1, 0x7f, 0xff, below(256)]));
    const [front, rest] = [bytes.subarray(0, at), bytes.subarray(at)];
    return pick([
      () => joinBytes([front]),
      () => joinBytes([front, noise, bytes.subarray(at + length)]),
      () => joinBytes([front, noise, rest]),
      () => joinBytes([front, bytes.subarray(at, at + length), rest]),
      () => joinBytes([rest]),
    ])();
  }

  it.each([
    ...Object.entries(makers).map(([format, make]) => [format, make({ width: 60, height: 40 })] as const),
    ['pdf', pdf(`${pdfObjects('5 0 <</Type /Page>>')}\n3 0 obj <</Contents (a (b) c)>> endobj`)] as const,
  ])('are accepted or refused when damaged, and never cause an exception: %s', async (_format, bytes) => {
    for (let n = 0; n < 400; n++) {
      const upload = await readUpload(damage(n % 2 === 0 ? bytes : damage(bytes)));
      if (typeof upload === 'string') continue;
      const storedUpload = await readAccepted(joinBytes(upload.parts));
      expect([storedUpload.type, storedUpload.image]).toEqual([upload.type, upload.image]);
    }
  });
});
