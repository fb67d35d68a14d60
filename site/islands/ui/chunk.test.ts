import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CHUNK_LIMIT_MS, chunk } from './chunk.ts';

const Screen = () => null;
const endOf = (load: Promise<unknown>) =>
  load.then(
    () => 'loaded',
    () => 'failed',
  );

describe('the code of a screen', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is waited for 120 seconds and not a moment longer', async () => {
    expect(CHUNK_LIMIT_MS).toBe(120_000);
    let end = 'waiting';
    void endOf(chunk(() => new Promise<typeof Screen>(() => undefined)).load()).then((said) => {
      end = said;
    });
    await vi.advanceTimersByTimeAsync(119_999);
    expect(end).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(end).toBe('failed');
  });

  it('that has failed is not at hand; once it came it is', async () => {
    const answers = [() => Promise.reject(new Error('offline')), async () => Screen];
    const screen = chunk(() => (answers.shift() ?? (() => Promise.reject(new Error('asked too often'))))());
    expect(await endOf(screen.load())).toBe('failed');
    expect(screen.loaded()).toBeNull();
    expect(await endOf(screen.load())).toBe('loaded');
    expect(screen.loaded()).toBe(Screen);
  });
});
