import { Buffer } from 'node:buffer';
import type { Context } from 'hono';
import { apiError } from '#worker/http/reply/errors';

/**
 * Reads a multipart body. Counts bytes as they arrive and drops those over the limit, so a file is in memory only once
 * and a client that is still sending receives a response.
 */
export async function readForm(c: Context, maxBytes: number): Promise<{ form: FormData } | { refusal: Response }> {
  const type = c.req.header('content-type') ?? '';
  const boundary = /^multipart\/form-data;.*\bboundary="?([^";]+)/i.exec(type)?.[1];
  const { body } = c.req.raw;
  if (!boundary || !body) return { refusal: apiError(c, 415, 'wrong-type', 'Please send this as a form with files.') };
  let size = 0;
  const countedBody = body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.length;
        if (size <= maxBytes) controller.enqueue(blankNuls(chunk, boundary));
      },
    }),
  );
  try {
    const form = await new Response(countedBody, { headers: { 'content-type': type } }).formData();
    if (size <= maxBytes) return { form };
  } catch {
    if (size <= maxBytes) return { refusal: apiError(c, 400, 'bad-request', 'The request could not be read.') };
  }
  return { refusal: apiError(c, 413, 'too-large', 'File is too large.') };
}

/**
 * Replaces NULs, because a NUL in a file name makes the parser refuse the form; the name is cleaned later anyway. Only
 * part headers, which begin at the boundary, are changed; the file content is not.
 */
function blankNuls(chunk: Uint8Array, boundary: string): Uint8Array {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const delimiter = `--${boundary}\r\n`;
  for (let start = bytes.indexOf(delimiter), end = 0; start >= 0; start = bytes.indexOf(delimiter, end)) {
    end = bytes.indexOf('\r\n\r\n', start);
    if (end < 0) end = bytes.length;
    const headers = bytes.subarray(start, end);
    for (let nul = headers.indexOf(0); nul >= 0; nul = headers.indexOf(0, nul)) headers[nul] = 0x20;
  }
  return bytes;
}

export const textFieldsOf = (form: FormData): Record<string, string> =>
  Object.fromEntries([...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

/** Returns the files of a field, without the empty part that browsers send for an empty file input. */
export const filesOf = (form: FormData, name: string): File[] =>
  form.getAll(name).filter((part): part is File => part instanceof File && !(part.size === 0 && part.name === ''));
