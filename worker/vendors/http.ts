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
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
  const retryAfter = Number(response.headers.get('retry-after'));
  return {
    status: response.status,
    text: await readCapped(response, maxBytes),
    retryAfterS: Number.isFinite(retryAfter) && retryAfter > 0 ? retryAfter : null,
    headers: response.headers,
  };
}

async function readCapped(response: Response, maxBytes: number): Promise<string> {
  if (!response.body) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw new Error('reply too large');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Edge servers send error pages as HTML or without a type, so this returns undefined instead of throwing. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
