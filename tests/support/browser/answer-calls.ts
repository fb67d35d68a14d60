import type { Page } from 'playwright-core';

type Answer = {
  status?: number;
  json?: unknown;
  body?: string | Buffer;
  contentType?: string;
  headers?: Record<string, string>;
};

/** A page's API call, which the test answers. */
export type Call = {
  url: URL;
  method: string;
  /** The JSON that the page sent. */
  sent<T>(): T;
  fulfill(answer: Answer): Promise<void>;
  abort(): Promise<void>;
};

/**
 * Answers the calls below /api that a test asked for; all others go through. Playwright's own `route` also does that,
 * but it turns off the browser's cache and sends every file through the test, which doubles the cost of opening a
 * page.
 */
export async function answerCalls(
  page: Page,
  isWanted: (url: URL) => boolean,
  answer: (call: Call) => Promise<void>,
): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Fetch.requestPaused', async ({ requestId, request }) => {
    const url = new URL(request.url);
    try {
      if (!isWanted(url)) {
        await session.send('Fetch.continueRequest', { requestId });
        return;
      }
      await answer({
        url,
        method: request.method,
        sent: () => JSON.parse(request.postData ?? 'null'),
        fulfill: async (given) =>
          void (await session.send('Fetch.fulfillRequest', { requestId, ...asResponse(given) })),
        abort: async () => void (await session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })),
      });
    } catch (cause) {
      // A call may still be held when its test ends, or when the page has dropped it for another.
      if (!page.isClosed() && !String(cause).includes('Invalid InterceptionId')) throw cause;
    }
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
}

function asResponse({ status = 200, json, body = JSON.stringify(json), contentType, headers = {} }: Answer) {
  const all = { 'content-type': contentType ?? 'application/json', ...headers };
  return {
    responseCode: status,
    responseHeaders: Object.entries(all).map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  };
}
