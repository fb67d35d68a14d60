/** All vendor calls have a timeout, follow no redirects and limit the response size. API replies are read as text. */

const MAX_REPLY_BYTES = 1_000_000;

export type HttpReply = { status: number; text: string; retryAfterS: number | null; headers: Headers };

/** Makes one call. Throws if no complete response arrived in time, so that the outcome is unknown. */
export async function callVendor(
  url: string,
  init: RequestInit,
  timeoutMs: number,
  maxBytes = MAX_REPLY_BYTES,
): Promise<HttpReply> {
  const response = await request(url, init, timeoutMs);
  const retryAfter = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    text: await readLimited(response, maxBytes),
    retryAfterS: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    headers: response.headers,
  };
}

/** Reads a vendor's file as bytes. Throws like `callVendor`. */
export async function readFile(url: string, timeoutMs: number, maxBytes: number) {
  const response = await request(url, {}, timeoutMs);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  await eachChunk(response, maxBytes, (chunk) => parts.push(chunk));
  const body = new Uint8Array(await new Blob(parts).arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

const request = (url: string, init: RequestInit, timeoutMs: number) =>
  fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });

async function readLimited(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  await eachChunk(response, maxBytes, (chunk) => {
    text += decoder.decode(chunk, { stream: true });
  });
  return text + decoder.decode();
}

/** Uses a reader, because iterating over a stream takes several times as long. */
async function eachChunk(
  { body }: Response,
  maxBytes: number,
  onChunk: (chunk: Uint8Array<ArrayBuffer>) => void,
): Promise<void> {
  const reader = body?.getReader();
  let bytes = 0;
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    bytes += part.value.byteLength;
    if (bytes > maxBytes) {
      void reader?.cancel().catch(() => undefined);
      throw new Error('reply too large');
    }
    onChunk(part.value);
  }
}

/** Parses JSON. Undefined if the text is not JSON, because edge servers send error pages as HTML or without a type. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
