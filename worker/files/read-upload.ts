import type { UploadType } from '#shared/contracts/content/content';
import { findPdfFault, isPdf } from './pdf.ts';
import {
  type Bytes,
  type CheckedImage,
  FileError,
  readGif,
  readJpeg,
  readPng,
  readWebp,
  textAt,
} from './strip-metadata.ts';

export type Upload = {
  type: UploadType;
  extension: string;
  /** Null for a file that is not an image. */
  image: { width: number; height: number } | null;
  isAnimated: boolean;
  /** The bytes to store. */
  parts: Bytes[];
};

const MAX_PIXELS = 60_000_000;
const MAX_SIDE = 20_000;

const formats: [UploadType, string, (bytes: Bytes) => boolean, (bytes: Bytes) => CheckedImage][] = [
  ['image/png', 'png', (bytes) => textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n', readPng],
  ['image/jpeg', 'jpg', (bytes) => textAt(bytes, 0, 3) === '\xff\xd8\xff', readJpeg],
  ['image/gif', 'gif', (bytes) => /^GIF8[79]a$/.test(textAt(bytes, 0, 6)), readGif],
  ['image/webp', 'webp', (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP', readWebp],
];

/** The reason why a file is not accepted. */
export type FileRefusal = 'unknown-type' | 'broken' | 'too-many-pixels' | 'pdf-acts' | 'pdf-markup';

/** Detects the file type from the content, never the name. */
export async function readUpload(bytes: Bytes): Promise<Upload | FileRefusal> {
  try {
    for (const [type, extension, matches, read] of formats) {
      if (!matches(bytes)) continue;
      const { width, height, parts, isAnimated } = read(bytes);
      if (width < 1 || height < 1) return 'broken';
      if (width > MAX_SIDE || height > MAX_SIDE || width * height > MAX_PIXELS) return 'too-many-pixels';
      return { type, extension, image: { width, height }, isAnimated, parts };
    }
  } catch (cause) {
    if (cause instanceof FileError) return 'broken';
    throw cause;
  }
  if (!isPdf(bytes)) return 'unknown-type';
  const fault = await findPdfFault(bytes);
  if (fault) return fault === 'broken' ? 'broken' : `pdf-${fault}`;
  return { type: 'application/pdf', extension: 'pdf', image: null, isAnimated: false, parts: [bytes] };
}
