import { afterAll, afterEach, expect } from 'vitest';
import { noteVisit } from '../journeys/visits.ts';
import { onAnswer, typeOf } from './answer-listener.ts';
import { readDescription, type WorkerAnswer } from './description.ts';

/**
 * Checks every Worker response against openapi.json: a status that it does not list, or a body of another shape, fails
 * the current test. A setup file of the whole-product tests; Worker responses are recognized by their request ID.
 */
const faults = new Set<string>();
const pending: Promise<void>[] = [];
const countByKind = new Map<string, number>();
const { faultOf, operationAt } = readDescription();

function checkAnswer(answer: WorkerAnswer): void {
  const fault = faultOf(answer);
  if (fault) faults.add(fault);
  const kind = `${operationAt(answer.method, answer.path).name} ${answer.status}`;
  countByKind.set(kind, (countByKind.get(kind) ?? 0) + 1);
}
onAnswer(checkAnswer);

const originalFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await originalFetch(input, init);
  if (!response.headers.has('x-request-id')) return response;
  noteVisit(response.url);
  const requestMethod = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
  const answer = {
    // A followed redirect is a GET, whatever the original method.
    method: response.redirected ? 'GET' : requestMethod,
    path: new URL(response.url).pathname,
    status: response.status,
    type: typeOf(response.headers),
  };
  // Only JSON bodies are read: a stream may not end before the test cancels it.
  if (answer.type !== 'application/json') checkAnswer({ ...answer, text: null });
  else
    pending.push(
      response
        .clone()
        .text()
        .then(
          (text) => checkAnswer({ ...answer, text }),
          () => undefined,
        ),
    );
  return response;
};

async function settle(): Promise<void> {
  await Promise.all(pending.splice(0));
  const foundFaults = [...faults];
  faults.clear();
  expect(foundFaults.join('\n'), 'answers that deviate from openapi.json').toBe('');
}

afterEach(settle);
afterAll(settle);
afterAll(() => {
  const answers = [...countByKind.values()].reduce((sum, n) => sum + n, 0);
  console.log(`${answers} answers of ${countByKind.size} kinds were checked against openapi.json`);
});
