import type { Page } from 'playwright-core';

export type CallAnswer = {
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
  readBody<T>(): T;
  fulfill(answer: CallAnswer): Promise<void>;
  abort(): Promise<void>;
};

type Answerer = (call: Call) => Promise<void>;

/** The source of the calls: a browser page, or the islands that a component test renders. */
export type Caller = Page | { answer(isWanted: (url: URL) => boolean, answer: Answerer): void };

/**
 * Answers the calls below /api that a test selects; all others go through. Playwright's own `route` also does that,
 * but it turns off the browser's cache and sends every file through the test, which doubles the cost of opening a
 * page.
 */
export async function answerCalls(caller: Caller, isWanted: (url: URL) => boolean, answer: Answerer): Promise<void> {
  if ('answer' in caller) caller.answer(isWanted, answer);
  else await answerPage(caller, isWanted, answer);
}

async function answerPage(page: Page, isWanted: (url: URL) => boolean, answer: Answerer): Promise<void> {
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
        readBody: () => JSON.parse(request.postData ?? 'null'),
        fulfill: async (content) =>
          void (await session.send('Fetch.fulfillRequest', { requestId, ...asResponse(content) })),
        abort: async () => void (await session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' })),
      });
    } catch (cause) {
      // A call may still be pending when its test ends, or when the page has aborted it for another.
      if (!page.isClosed() && !String(cause).includes('Invalid InterceptionId')) throw cause;
    }
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/*' }] });
}

function asResponse({ status = 200, json, body = JSON.stringify(json), contentType, headers = {} }: CallAnswer) {
  const allHeaders = { 'content-type': contentType ?? 'application/json', ...headers };
  return {
    responseCode: status,
    responseHeaders: Object.entries(allHeaders).map(([name, value]) => ({ name, value })),
    body: Buffer.from(body).toString('base64'),
  };
}
