import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { answerOf, forgetAnswers, unanswered } from './calls.ts';
import { errors, expectedErrors } from './expected-errors.ts';

// Generous for a busy machine; only a failing test waits this long.
configure({ asyncUtilTimeout: 15_000, defaultHidden: true });

/** Harmless console errors: responses arrive outside act(), and the test DOM does not know the search element. */
const NO_FAULT = /not wrapped in act\(|The tag <%s> is unrecognized in this browser.* search$/;

/** Each test starts in an empty window, and fails on a console error or an unanswered call. */
globalThis.fetch = answerOf as typeof fetch;
// The test DOM has no canvas; the browser tests cover signatures.
HTMLCanvasElement.prototype.getContext = () => new Proxy({}, { get: () => () => undefined }) as never;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...words: unknown[]) => {
    const text = words.map(String).join(' ');
    if (!NO_FAULT.test(text)) errors.push(text);
  });
});

afterEach(async () => {
  cleanup();
  vi.useRealTimers();
  // Lets pending work finish before the next test.
  await new Promise((resolve) => setImmediate(resolve));
  vi.restoreAllMocks();
  document.body.replaceChildren();
  localStorage.clear();
  sessionStorage.clear();
  window.history.replaceState(null, '', '/');
  const expected = expectedErrors.splice(0);
  const wrong = errors.splice(0).filter((text) => !expected.some((pattern) => pattern.test(text)));
  const calls = unanswered.splice(0);
  forgetAnswers();
  expect(wrong, 'errors in the console').toEqual([]);
  expect(calls, 'calls without an answer').toEqual([]);
});
