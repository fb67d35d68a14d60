import type { Call, Caller, Given } from '../servers/answer-calls.ts';

type Answering = { isWanted(url: URL): boolean; answer(call: Call): Promise<void> };

const answers: Answering[] = [];
/** Calls for which the test has no answer. */
export const unanswered: string[] = [];

/** The calls of what a component test renders; the answer that was given last comes first. */
export const calls = {
  answer: (isWanted, answer) => void answers.unshift({ isWanted, answer }),
} satisfies Caller;

const always = (path: string, json: unknown): Answering => ({
  isWanted: ({ pathname }) => pathname === path,
  answer: ({ fulfill }) => fulfill({ json }),
});

/** Answers an address in the same way each time. */
export const answerWith = (path: string, json: unknown): void => void answers.unshift(always(path, json));

/** The same for calls of which a test need say nothing. */
export const answerUnlessAsked = (path: string, json: unknown): void => void answers.push(always(path, json));

export const forgetAnswers = (): void => void answers.splice(0);

/** Takes the place of `fetch`. */
export function answerOf(path: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const { method = 'GET', body, signal } = init;
  const url = new URL(String(path), window.location.href);
  const found = answers.find(({ isWanted }) => isWanted(url));
  return new Promise((resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new DOMException('The call was dropped.', 'AbortError')));
    if (!found) {
      unanswered.push(`${method} ${url.pathname}${url.search}`);
      reject(new TypeError(`no answer for ${method} ${url.pathname}`));
      return;
    }
    found
      .answer({
        url,
        method,
        sent: () => JSON.parse(String(body ?? 'null')),
        fulfill: async (given) => resolve(asResponse(given)),
        abort: async () => reject(new TypeError('Failed to fetch')),
      })
      .catch(reject);
  });
}

function asResponse({ status = 200, json, body = JSON.stringify(json), contentType, headers }: Given): Response {
  const content = typeof body === 'string' ? body : new Uint8Array(body);
  return new Response(content, { status, headers: { 'content-type': contentType ?? 'application/json', ...headers } });
}
