import type { Bytes } from './strip-metadata.ts';

/**
 * The reason why a PDF is refused. `acts`: it runs a script or starts a program; `markup`: it is also a web page;
 * `broken`: its end is missing.
 */
export type PdfFault = 'acts' | 'markup' | 'broken';

/** PDF readers accept a header that begins within the first kilobyte. */
const HEADER_SEARCH_BYTES = 1024;

export const isPdf = (bytes: Bytes): boolean => /%PDF-[12]\.\d/.test(latin1(bytes.subarray(0, HEADER_SEARCH_BYTES)));

/**
 * Returns the reason to refuse a PDF, or null if there is none. Only its structure is searched, because the compressed
 * data of pages and pictures may contain any bytes by chance. Object streams are inflated, since they contain
 * structure.
 */
export async function findPdfFault(bytes: Bytes): Promise<PdfFault | null> {
  if (!latin1(bytes.subarray(-1024)).includes('%%EOF')) return 'broken';
  let inflated = 0;
  for (const { structure, data } of partsOf(bytes)) {
    const fault = findFaultIn(structure);
    if (fault) return fault;
    if (!OBJECT_STREAM.test(structure.slice(-DICTIONARY_LENGTH)) || inflated > MAX_INFLATED) continue;
    const objects = await inflate(data);
    inflated += objects.length;
    const innerFault = findFaultIn(latin1(objects));
    if (innerFault) return innerFault;
  }
  return null;
}

/** The number of characters before a stream's data that are certain to contain its dictionary. */
const DICTIONARY_LENGTH = 2000;
const OBJECT_STREAM = /\/Type\s*\/ObjStm\b(?:(?!\bendobj\b)[\s\S])*$/;
/** The maximum number of inflated bytes per file, which limits the time spent on it. */
const MAX_INFLATED = 50_000_000;

const latin1 = (bytes: Bytes): string => new TextDecoder('latin1').decode(bytes);

type Part = { structure: string; data: Bytes };

/**
 * Yields the text of the file up to each stream, with the stream's data. The text after the last stream has no data.
 */
function* partsOf(bytes: Bytes): Generator<Part> {
  let at = 0;
  for (;;) {
    const from = startOfStream(bytes, at);
    const end = from < 0 ? -1 : indexOf(bytes, END_STREAM, from);
    // Without an end, this is not a stream.
    if (end < 0) return yield* splitIntoWindows(bytes.subarray(at));
    yield* splitIntoWindows(bytes.subarray(at, from), bytes.subarray(from, end));
    at = end + END_STREAM.length;
  }
}

const WINDOW = 1_000_000;
/** The length of the longest searched name with every letter written as #xx, plus one. */
const OVERLAP = 34;

/** Yields overlapping windows, because the text of a large file would take twice its size in memory. */
function* splitIntoWindows(bytes: Bytes, data: Bytes = EMPTY): Generator<Part> {
  for (let at = 0; at < bytes.length; at += WINDOW) {
    const isLast = at + WINDOW >= bytes.length;
    yield { structure: latin1(bytes.subarray(at, at + WINDOW + OVERLAP)), data: isLast ? data : EMPTY };
  }
}

const EMPTY = new Uint8Array();
const ascii = (text: string): Bytes => Uint8Array.from(text, (char) => char.charCodeAt(0));
const STREAM = ascii('stream');
const END_STREAM = ascii('endstream');

/**
 * Returns the position of the next stream's data, or -1 if there is none. The keyword is preceded by a dictionary and
 * followed by a line end.
 */
function startOfStream(bytes: Bytes, from: number): number {
  for (let at = indexOf(bytes, STREAM, from); at >= 0; at = indexOf(bytes, STREAM, at + 1)) {
    let previous = at - 1;
    while (isWhitespace(bytes[previous])) previous--;
    const after = at + STREAM.length;
    if (bytes[previous] === GREATER_THAN && (bytes[after] === 10 || bytes[after] === 13))
      return after + (bytes[after] === 13 && bytes[after + 1] === 10 ? 2 : 1);
  }
  return -1;
}

const GREATER_THAN = 0x3e;
const isWhitespace = (byte: number | undefined) => byte !== undefined && [0, 9, 10, 12, 13, 32].includes(byte);

function indexOf(bytes: Bytes, pattern: Bytes, from: number): number {
  const [first = 0] = pattern;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (pattern.every((byte, offset) => bytes[at + offset] === byte)) return at;
  return -1;
}

/** Inflates an object stream, up to 16 MB. Returns no bytes if it is encrypted or uses another compression. */
async function inflate(data: Bytes): Promise<Bytes> {
  // Removes the line end between the data and the keyword, which decoders reject.
  const lineEnd = /\r?\n?$/.exec(latin1(data.subarray(-2)))?.[0].length ?? 0;
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
    // The stream is damaged or encrypted. The objects before the error are used.
  }
  const joinedBytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    joinedBytes.set(chunk, at);
    at += chunk.length;
  }
  return joinedBytes;
}

function findFaultIn(text: string): PdfFault | null {
  const stripped = removeStrings(text);
  if (/<(?:!doctype|html|script|svg|body|iframe)[\s>/]/i.test(stripped)) return 'markup';
  // PDF names may write any character as #xx.
  const names = stripped.replace(/#([0-9a-f]{2})/gi, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return /\/(?:JavaScript|JS|Launch)\b/.test(names) ? 'acts' : null;
}

/**
 * Removes strings, because they may contain any word, and reviewers' comments contain XML. An object with an unclosed
 * string stays unchanged.
 */
const removeStrings = (text: string): string => text.split('endobj').map(removeStringsOfObject).join('endobj');

function removeStringsOfObject(object: string): string {
  let depth = 0;
  let stripped = '';
  let from = 0;
  for (let at = 0; at < object.length; at++) {
    const char = object[at];
    if (char === '\\') at++;
    else if (char === '%' && depth === 0) at = endOfLine(object, at);
    else if (char === '(' && depth++ === 0) stripped += object.slice(from, at);
    else if (char === ')' && depth > 0 && --depth === 0) from = at + 1;
  }
  return depth === 0 ? stripped + object.slice(from) : object;
}

/** Skips a comment, which may contain an unmatched parenthesis. */
function endOfLine(text: string, from: number): number {
  const end = text.slice(from, from + 1000).search(/[\r\n]/);
  return end < 0 ? from : from + end;
}
