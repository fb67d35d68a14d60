import { afterEach, expect, it, vi } from 'vitest';
import { wordsIn } from '#shared/words/both';
import { cardWords } from '#shared/words/pay-words';
import { openCardForm } from '#site/islands/pay/card-sdk.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const sdk = {
  provider: 'Clearent',
  scriptUrl: 'http://localhost:1/a.js',
  scriptObject: 'SDK',
  baseUrl: '',
  publicKey: '',
  sandbox: true,
};

it('is waited for 120 seconds and not a moment longer', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {
    createElement: () => ({ remove: () => undefined }),
    head: { appendChild: () => undefined },
  });
  let end = 'waiting';
  void openCardForm(sdk, wordsIn(cardWords, 'en'), () => undefined).then(
    () => {
      end = 'open';
    },
    () => {
      end = 'failed';
    },
  );
  await vi.advanceTimersByTimeAsync(119_999);
  expect(end).toBe('waiting');
  await vi.advanceTimersByTimeAsync(1);
  expect(end).toBe('failed');
});
