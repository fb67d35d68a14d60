import type { UploadType } from '#shared/contracts/content/content';
import {
  type Bytes,
  FileError,
  type ReadImage,
  readGif,
  readJpeg,
  readPng,
  readWebp,
  textAt,
} from './image-formats.ts';

export type Upload = {
  type: UploadType;
  extension: string;
  /** Null for a file that is not an image. */
  image: { width: number; height: number } | null;
  /** The bytes to store. */
  parts: Bytes[];
};

const MAX_PIXELS = 60_000_000;
const MAX_SIDE = 20_000;

const formats: [UploadType, string, (bytes: Bytes) => boolean, (bytes: Bytes) => ReadImage][] = [
  ['image/png', 'png', (bytes) => textAt(bytes, 0, 8) === '\x89PNG\r\n\x1a\n', readPng],
  ['image/jpeg', 'jpg', (bytes) => textAt(bytes, 0, 3) === '\xff\xd8\xff', readJpeg],
  ['image/gif', 'gif', (bytes) => /^GIF8[79]a$/.test(textAt(bytes, 0, 6)), readGif],
  ['image/webp', 'webp', (bytes) => textAt(bytes, 0, 4) === 'RIFF' && textAt(bytes, 8, 4) === 'WEBP', readWebp],
];

/** Detects the file type from the content, never the name. Null if the type is not accepted or the file is broken. */
export function readUpload(bytes: Bytes): Upload | null {
  try {
    for (const [type, extension, isIt, read] of formats) {
      if (!isIt(bytes)) continue;
      const { width, height, parts } = read(bytes);
      const isSane = width > 0 && height > 0 && width <= MAX_SIDE && height <= MAX_SIDE && width * height <= MAX_PIXELS;
      return isSane ? { type, extension, image: { width, height }, parts } : null;
    }
    return isPdf(bytes) ? { type: 'application/pdf', extension: 'pdf', image: null, parts: [bytes] } : null;
  } catch (cause) {
    if (cause instanceof FileError) return null;
    throw cause;
  }
}

/** Rejects a PDF that is also another format, or that contains automatic actions. */
function isPdf(bytes: Bytes): boolean {
  if (!/^%PDF-[12]\.\d/.test(textAt(bytes, 0, 8)) || !latin(bytes.subarray(-1024)).includes('%%EOF')) return false;
  // Search in overlapping windows: the text of a large file would take twice its size in memory.
  for (let at = 0; at < bytes.length; at += WINDOW) {
    const text = latin(bytes.subarray(at, at + WINDOW + OVERLAP));
    // PDF names may write any character as #xx.
    const names = text.replace(/#([0-9a-f]{2})/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (/<(?:!doctype|html|script|svg|body|iframe)[\s>/]/i.test(text) || /\/(?:JavaScript|JS|Launch)\b/.test(names))
      return false;
  }
  return true;
}

const WINDOW = 1_000_000;
/** Length of the longest searched name with every letter written as #xx, plus one. */
const OVERLAP = 34;
const latin = (bytes: Bytes): string => new TextDecoder('latin1').decode(bytes);
