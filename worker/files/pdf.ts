import type { Bytes } from './image-formats.ts';

/** `acts`: it runs a script or starts a program. `markup`: it is a web page too. `broken`: it has no end. */
export type PdfFault = 'acts' | 'markup' | 'broken';

/** Readers accept a head that begins within the first kilobyte. */
const HEAD_WITHIN = 1024;

export const isPdf = (bytes: Bytes): boolean => /%PDF-[12]\.\d/.test(latin(bytes.subarray(0, HEAD_WITHIN)));

/**
 * The reason to refuse a PDF; null if there is none. Only its structure is read: the compressed data of pages and
 * pictures hold any bytes by chance. Object streams are inflated, since they hold structure.
 */
export async function findPdfFault(bytes: Bytes): Promise<PdfFault | null> {
  if (!latin(bytes.subarray(-1024)).includes('%%EOF')) return 'broken';
  let inflated = 0;
  for (const { structure, data } of partsOf(bytes)) {
    const fault = faultIn(structure);
    if (fault) return fault;
    if (!OBJECT_STREAM.test(structure.slice(-HEAD_OF_STREAM)) || inflated > MOST_INFLATED) continue;
    const objects = await inflate(data);
    inflated += objects.length;
    const inner = faultIn(latin(objects));
    if (inner) return inner;
  }
  return null;
}

/** Long enough for the dictionary before any stream's data. */
const HEAD_OF_STREAM = 2000;
const OBJECT_STREAM = /\/Type\s*\/ObjStm\b(?:(?!\bendobj\b)[\s\S])*$/;
/** Limits the time spent on one file (bytes). */
const MOST_INFLATED = 50_000_000;

const latin = (bytes: Bytes): string => new TextDecoder('latin1').decode(bytes);

type Part = { structure: string; data: Bytes };

/** Text of the file up to each stream, and the stream's data. The text after the last stream comes with no data. */
function* partsOf(bytes: Bytes): Generator<Part> {
  let at = 0;
  for (;;) {
    const from = startOfStream(bytes, at);
    const end = from < 0 ? -1 : indexOf(bytes, END_STREAM, from);
    // Without its end, what looks like a stream is none.
    if (end < 0) return yield* inWindows(bytes.subarray(at));
    yield* inWindows(bytes.subarray(at, from), bytes.subarray(from, end));
    at = end + END_STREAM.length;
  }
}

const WINDOW = 1_000_000;
/** Length of the longest searched name with every letter written as #xx, plus one. */
const OVERLAP = 34;

/** In overlapping windows: the text of a large file would take twice its size in memory. */
function* inWindows(bytes: Bytes, data: Bytes = NONE): Generator<Part> {
  for (let at = 0; at < bytes.length; at += WINDOW) {
    const isLast = at + WINDOW >= bytes.length;
    yield { structure: latin(bytes.subarray(at, at + WINDOW + OVERLAP)), data: isLast ? data : NONE };
  }
}

const NONE = new Uint8Array();
const ascii = (text: string): Bytes => Uint8Array.from(text, (char) => char.charCodeAt(0));
const STREAM = ascii('stream');
const END_STREAM = ascii('endstream');

/** The data of the next stream begin here; -1 if there is none. A dictionary and a line end enclose the keyword. */
function startOfStream(bytes: Bytes, from: number): number {
  for (let at = indexOf(bytes, STREAM, from); at >= 0; at = indexOf(bytes, STREAM, at + 1)) {
    let before = at - 1;
    while (isBlank(bytes[before])) before--;
    const after = at + STREAM.length;
    if (bytes[before] === GREATER && (bytes[after] === 10 || bytes[after] === 13))
      return after + (bytes[after] === 13 && bytes[after + 1] === 10 ? 2 : 1);
  }
  return -1;
}

const GREATER = 0x3e;
const isBlank = (byte: number | undefined) => byte !== undefined && [0, 9, 10, 12, 13, 32].includes(byte);

function indexOf(bytes: Bytes, what: Bytes, from: number): number {
  const [first = 0] = what;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (what.every((byte, n) => bytes[at + n] === byte)) return at;
  return -1;
}

/** An object stream, up to 16 MB; empty if it is encrypted or packed in another way. */
async function inflate(data: Bytes): Promise<Bytes> {
  // A line end stands between the data and the keyword; decoders refuse it.
  const lineEnd = /\r?\n?$/.exec(latin(data.subarray(-2)))?.[0].length ?? 0;
  const objects = await inflateExactly(data.subarray(0, data.length - lineEnd));
  return objects.length > 0 ? objects : inflateExactly(data);
}

async function inflateExactly(data: Bytes): Promise<Bytes> {
  const chunks: Bytes[] = [];
  let size = 0;
  try {
    const plain = new Blob([data]).stream().pipeThrough(new DecompressionStream('deflate'));
    for await (const chunk of plain as unknown as AsyncIterable<Bytes>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > 16_000_000) break;
    }
  } catch {
    // Damaged or encrypted: the objects before the fault are read.
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function faultIn(text: string): PdfFault | null {
  const bare = withoutStrings(text);
  if (/<(?:!doctype|html|script|svg|body|iframe)[\s>/]/i.test(bare)) return 'markup';
  // PDF names may write any character as #xx.
  const names = bare.replace(/#([0-9a-f]{2})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /\/(?:JavaScript|JS|Launch)\b/.test(names) ? 'acts' : null;
}

/** Comments of reviewers hold XML, and texts name anything. An object with an open string is kept as it is. */
const withoutStrings = (text: string): string => text.split('endobj').map(withoutStringsIn).join('endobj');

function withoutStringsIn(object: string): string {
  let depth = 0;
  let bare = '';
  let from = 0;
  for (let at = 0; at < object.length; at++) {
    const char = object[at];
    if (char === '\\') at++;
    else if (char === '%' && depth === 0) at = endOfLine(object, at);
    else if (char === '(' && depth++ === 0) bare += object.slice(from, at);
    else if (char === ')' && depth > 0 && --depth === 0) from = at + 1;
  }
  return depth === 0 ? bare + object.slice(from) : object;
}

/** A comment may hold a single bracket. */
function endOfLine(text: string, from: number): number {
  const end = text.slice(from, from + 1000).search(/[\r\n]/);
  return end < 0 ? from : from + end;
}
