import type { Call, CallAnswer, Caller } from '../servers/answer-calls.ts';

type Handler = { isWanted(url: URL): boolean; answer(call: Call): Promise<void> };

const answers: Handler[] = [];
/** Calls without an answer in the current test. */
export const unansweredCalls: string[] = [];

/** Answers calls of the rendered components; later answers take precedence. */
export const calls = {
  answer: (isWanted, answer) => void answers.unshift({ isWanted, answer }),
} satisfies Caller;

const fixedAnswer = (path: string, json: unknown): Handler => ({
  isWanted: ({ pathname }) => pathname === path,
  answer: ({ fulfill }) => fulfill({ json }),
});

/** Answers all calls of a path with the same JSON. */
export const answerWith = (path: string, json: unknown): void => void answers.unshift(fixedAnswer(path, json));

/** The same, but any other answer for the path takes precedence. */
export const answerByDefault = (path: string, json: unknown): void => void answers.push(fixedAnswer(path, json));

/** Removes all answers. */
export const clearAnswers = (): void => void answers.splice(0);

/** Replaces `fetch`. Rejects and records calls without an answer. */
export function answerOf(path: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body, signal } = init;
  const url = new URL(String(path), window.location.href);
  const handler = answers.find(({ isWanted }) => isWanted(url));
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The call was dropped.', 'AbortError')));
    if (!handler) {
      unansweredCalls.push(`${method} ${url.pathname}${url.search}`);
      reject(new TypeError(`no answer for ${method} ${url.pathname}`));
      return;
    }
    handler
      .answer({
        url,
        method,
        readBody: () => JSON.parse(String(body ?? 'null')),
        fulfill: async (content) => resolve(asResponse(content)),
        abort: async () => reject(new TypeError('Failed to fetch')),
      })
      .catch(reject);
  });
}

function asResponse({ status = 200, json, body = JSON.stringify(json), contentType, headers }: CallAnswer): Response {
  const content = typeof body === 'string' ? body : new Uint8Array(body);
  return new Response(content, { status, headers: { 'content-type': contentType ?? 'application/json', ...headers } });
}
