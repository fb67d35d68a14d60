import { afterAll, afterEach, expect } from 'vitest';
import { noteVisit } from '../journeys/visits.ts';
import { readDescription, type Told } from './described.ts';
import { onAnswer, typeOf } from './told.ts';

/**
 * Checks every Worker response against openapi.json: a status that it does not list, or a body of another shape, fails
 * the current test. A setup file of the whole-product tests; Worker responses are recognized by their request ID.
 */
const faults = new Set<string>();
const underWay: Promise<void>[] = [];
const seen = new Map<string, number>();
const { faultOf, operationAt } = readDescription();

function holdAnswer(told: Told): void {
  const fault = faultOf(told);
  if (fault) faults.add(fault);
  const what = `${operationAt(told.method, told.path).name} ${told.status}`;
  seen.set(what, (seen.get(what) ?? 0) + 1);
}
onAnswer(holdAnswer);

const theirs = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  const response = await theirs(input, init);
  if (!response.headers.has('x-request-id')) return response;
  noteVisit(response.url);
  const asked = (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase();
  const told = {
    // A followed redirect is a GET, whatever the original method.
    method: response.redirected ? 'GET' : asked,
    path: new URL(response.url).pathname,
    status: response.status,
    type: typeOf(response.headers),
  };
  // Only JSON bodies are read: a stream may not end before the test cancels it.
  if (told.type !== 'application/json') holdAnswer({ ...told, text: null });
  else
    underWay.push(
      response
        .clone()
        .text()
        .then(
          (text) => holdAnswer({ ...told, text }),
          () => undefined,
        ),
    );
  return response;
};

async function settle(): Promise<void> {
  await Promise.all(underWay.splice(0));
  const found = [...faults];
  faults.clear();
  expect(found.join('\n'), 'answers against openapi.json').toBe('');
}

afterEach(settle);
afterAll(settle);
afterAll(() => {
  const answers = [...seen.values()].reduce((sum, n) => sum + n, 0);
  console.log(`${answers} answers of ${seen.size} kinds were held against openapi.json`);
});
