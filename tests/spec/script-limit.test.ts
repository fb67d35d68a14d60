import { afterEach, expect, it, vi } from 'vitest';
import { payPageWords } from '#shared/words/pay-words';
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

it('waits for the card provider’s script for exactly 120 seconds', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('window', {});
  vi.stubGlobal('document', {
    createElement: () => ({ remove: () => undefined }),
    head: { appendChild: () => undefined },
  });
  let end = 'waiting';
  void openCardForm(sdk, payPageWords('en').card, () => undefined).then(
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
