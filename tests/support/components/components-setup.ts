/** Each component test starts in an empty window, and fails on a console error or an unanswered call. */

import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { answerOf, clearAnswers, unansweredCalls } from './calls.ts';
import { errors, expectedErrors } from './expected-errors.ts';

// Generous for a busy machine; only a failing test waits this long.
configure({ asyncUtilTimeout: 15_000, defaultHidden: true });

/** Harmless console errors: responses arrive outside act(), and the test DOM does not know the search element. */
const HARMLESS = /not wrapped in act\(|The tag <%s> is unrecognized in this browser.* search$/;

globalThis.fetch = answerOf as typeof fetch;
// The test DOM has no canvas; the browser tests cover signatures.
HTMLCanvasElement.prototype.getContext = () => new Proxy({}, { get: () => () => undefined }) as never;

beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => {
    const text = parts.map(String).join(' ');
    if (!HARMLESS.test(text)) errors.push(text);
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
  const consoleErrors = errors.splice(0).filter((text) => !expected.some((pattern) => pattern.test(text)));
  const calls = unansweredCalls.splice(0);
  clearAnswers();
  expect(consoleErrors, 'errors in the console').toEqual([]);
  expect(calls, 'calls without an answer').toEqual([]);
});
