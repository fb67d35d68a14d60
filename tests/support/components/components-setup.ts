import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { answerOf, forgetAnswers, unanswered } from './calls.ts';
import { errors, expectedErrors } from './expected-errors.ts';

// Nobody waits for as long unless something is wrong: the machine may be busy.
configure({ asyncUtilTimeout: 15_000, defaultHidden: true });

/** Answers come when they come, outside of what the library waits for; and its document is older than one element. */
const NO_FAULT = /not wrapped in act\(|The tag <%s> is unrecognized in this browser.* search$/;

/** Each test begins in an empty window, and fails when its console holds an error or a call had no answer. */
globalThis.fetch = answerOf as typeof fetch;
// The document draws nothing: what is signed is proven in the browser.
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
  // What began before the page was left ends before the next test.
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
