/** Shared by all vendor calls: a time limit, no redirects, a cap on the reply, text before JSON. */

const MAX_REPLY_BYTES = 1_000_000;

export type HttpReply = { status: number; text: string; retryAfterS: number | null; headers: Headers };

/** Makes one call. Throws when no complete answer came in time: the outcome at the vendor is then not known. */
export async function callVendor(
  url: string,
  init: RequestInit,
  timeoutMs: number,
  maxBytes = MAX_REPLY_BYTES,
): Promise<HttpReply> {
  const response = await ask(url, init, timeoutMs);
  const retryAfter = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    text: await readCapped(response, maxBytes),
    retryAfterS: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    headers: response.headers,
  };
}

/** Reads a vendor's file as it is. Throws like `callVendor`. */
export async function readFile(url: string, timeoutMs: number, maxBytes: number) {
  const response = await ask(url, {}, timeoutMs);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of capped(response, maxBytes)) parts.push(chunk);
  const body = new Uint8Array(await new Blob(parts).arrayBuffer());
  return { status: response.status, headers: response.headers, body };
}

const ask = (url: string, init: RequestInit, timeoutMs: number) =>
  fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });

async function readCapped(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of capped(response, maxBytes)) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}

async function* capped({ body }: Response, maxBytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error('reply too large');
    yield chunk;
  }
}

/** Edge servers send error pages as HTML or without a type, so this returns undefined instead of throwing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
