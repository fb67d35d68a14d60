import { deflateSync } from 'node:zlib';
import type { FileRefusal } from '#worker/files/read-upload';
import { png } from './png.ts';

/** Small files of every accepted kind, with the metadata that cameras, programs and attackers write into them. */

type Bytes = Uint8Array<ArrayBuffer>;
const ascii = (text: string): number[] => Array.from(text, (char) => char.charCodeAt(0));
const big16 = (n: number) => [(n >> 8) & 255, n & 255];
const little32 = (n: number) => [n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >> 24) & 255];

export const PLACE = 'GPS 39.7684N 86.1581W';

export const bytesOf = (text: string): Bytes => Uint8Array.from(ascii(text));

const segment = (marker: number, data: number[]) => [0xff, marker, ...big16(data.length + 2), ...data];

/** A camera's metadata: place and orientation. */
const exif = (orientation: number) =>
  segment(0xe1, [
    ...ascii('Exif\0\0II'),
    ...[0x2a, 0, 8, 0, 0, 0, 1, 0, 0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0],
    ...ascii(PLACE),
  ]);

export function jpeg({ width = 60, height = 40, orientation = 1, tail = '', scan = [0x56] } = {}): Bytes {
  return Uint8Array.from([
    ...[0xff, 0xd8],
    ...segment(0xe0, [...ascii('JFIF\0'), 1, 1, 0, 0, 1, 0, 1, 0, 0]),
    ...exif(orientation),
    ...segment(0xed, ascii(`Photoshop 3.0 ${PLACE}`)),
    ...segment(0xe2, ascii('ICC_PROFILE\0 colours')),
    ...segment(0xfe, ascii(`/*${PLACE}*/`)),
    ...segment(0xdb, Array(65).fill(1)),
    ...segment(0xc0, [8, ...big16(height), ...big16(width), 1, 1, 0x11, 0]),
    ...segment(0xda, [1, 1, 0, 0, 63, 0]),
    ...[0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, ...scan],
    ...[0xff, 0xd9],
    ...ascii(tail),
  ]);
}

/** A photograph that differs from all others, because the library stores equal ones only once. */
export const freshJpeg = (): Bytes =>
  jpeg({ scan: [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte & 0x7f) });

export const taggedPng = (width = 60, height = 40, tail = ''): Bytes =>
  Uint8Array.from([
    ...png({
      width,
      height,
      extraChunks: [
        ['tEXt', bytesOf(`Comment\0${PLACE}`)],
        ['eXIf', bytesOf(PLACE)],
      ],
    }),
    ...ascii(tail),
  ]);

export function webp({ width = 60, height = 40, tail = '', isAnimated = false } = {}): Bytes {
  const chunk = (type: string, data: number[]) => [
    ...ascii(type),
    ...little32(data.length),
    ...data,
    ...(data.length % 2 ? [0] : []),
  ];
  const side = (n: number) => [(n - 1) & 255, ((n - 1) >> 8) & 255, ((n - 1) >> 16) & 255];
  const bits = (width - 1) | ((height - 1) << 14);
  const body = [
    ...ascii('WEBP'),
    ...chunk('VP8X', [0x0c, 0, 0, 0, ...side(width), ...side(height)]),
    ...(isAnimated ? chunk('ANIM', [0, 0, 0, 0, 0, 0]) : []),
    ...(isAnimated ? chunk('ANMF', Array(24).fill(0)) : chunk('VP8L', [0x2f, ...little32(bits), 7])),
    ...chunk('EXIF', ascii(PLACE)),
    ...chunk('XMP ', ascii(`<x>${PLACE}</x>`)),
  ];
  return Uint8Array.from([...ascii('RIFF'), ...little32(body.length), ...body, ...ascii(tail)]);
}

export function gif({ width = 60, height = 40, comment = PLACE, tail = '' } = {}): Bytes {
  const little16 = (n: number) => [n & 255, n >> 8];
  return Uint8Array.from([
    ...ascii('GIF89a'),
    ...[...little16(width), ...little16(height), 0x80, 0, 0, 0, 0, 0, 255, 255, 255],
    ...[0x21, 0xfe, comment.length, ...ascii(comment), 0],
    ...[0x21, 0xff, 11, ...ascii('NETSCAPE2.0'), 3, 1, 0, 0, 0],
    ...[0x21, 0xf9, 4, 0, 0, 0, 0, 0],
    ...[0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0],
    0x3b,
    ...ascii(tail),
  ]);
}

export const pdf = (body = '1 0 obj <</Type /Catalog>> endobj'): Bytes => bytesOf(`%PDF-1.7\n${body}\n%%EOF\n`);

/** A PDF stream with its dictionary. */
export const pdfStream = (data: Uint8Array, dictionary = ''): string =>
  `7 0 obj <<${dictionary}/Length ${data.length}>>\nstream\n${Array.from(data, (byte) => String.fromCharCode(byte)).join('')}\nendstream endobj`;

/** PDF objects packed into a stream, as current programs write them. */
export const pdfObjects = (objects: string): string =>
  pdfStream(deflateSync(objects), '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode ');

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" onload="canary=1"></svg>';
const HTML = '<!doctype html><script>canary=1</script>';

/** Files with false claims: name, claimed type, content, and the expected reason for the refusal. */
export const hostileFiles: [name: string, type: string, bytes: Bytes, why: FileRefusal][] = [
  ['picture.svg', 'image/svg+xml', bytesOf(SVG), 'unknown-type'],
  ['picture.png', 'image/png', bytesOf(SVG), 'unknown-type'],
  ['page.png', 'image/png', bytesOf(HTML), 'unknown-type'],
  ['page.html', 'text/html', bytesOf(HTML), 'unknown-type'],
  ['script.gif', 'image/gif', bytesOf('GIF89a=1;canary=1//'), 'broken'],
  ['comment.gif', 'image/gif', bytesOf('GIF89a/*\0\0\0\0\0*/=1;canary=1;\x3b'), 'broken'],
  ['head.png', 'image/png', Uint8Array.from([...png({ width: 2, height: 2 }).slice(0, 40), ...ascii(HTML)]), 'broken'],
  ['head.jpg', 'image/jpeg', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, ...ascii(HTML)]), 'broken'],
  ['paper.pdf', 'application/pdf', pdf(HTML), 'pdf-markup'],
  ['runs.pdf', 'application/pdf', pdf('<</OpenAction <</S /JavaScript /JS (app.alert(1))>>>>'), 'pdf-acts'],
  ['escaped.pdf', 'application/pdf', pdf('<</OpenAction <</S /#4aavaScript /#4A#53 (app.alert(1))>>>>'), 'pdf-acts'],
  ['escaped-all.pdf', 'application/pdf', pdf('<</S /#4a#61#76#61#53#63#72#69#70#74>>'), 'pdf-acts'],
  ['starts.pdf', 'application/pdf', pdf('<</S /L#61unch /F (cmd.exe)>>'), 'pdf-acts'],
  // Crosses the boundary between two chunks of the check.
  ['far.pdf', 'application/pdf', pdf(`${' '.repeat(999_975)}<</S /#4a#61#76#61#53#63#72#69#70#74>>`), 'pdf-acts'],
  ['huge.png', 'image/png', png({ width: 30_000, height: 30_000, data: new Uint8Array(4) }), 'too-many-pixels'],
  ['program.png', 'image/png', bytesOf('MZ\x90\0 program'), 'unknown-type'],
  ['nothing.png', 'image/png', new Uint8Array(), 'unknown-type'],
  ['broken.webp', 'image/webp', bytesOf('RIFF\xff\xff\xff\x7fWEBPVP8 '), 'broken'],
  ['packed.pdf', 'application/pdf', pdf(pdfObjects('5 0 <</S /JavaScript /JS (app.alert(1))>>')), 'pdf-acts'],
  ['late.pdf', 'application/pdf', bytesOf(`${HTML}${String.fromCharCode(...pdf())}`), 'pdf-markup'],
];
