import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lazyScreen, preload } from './lazy-screen.ts';

const Screen = () => null;
const outcomeOf = (load: Promise<unknown>) =>
  load.then(
    () => 'loaded',
    () => 'failed',
  );

describe('lazy loading of a screen', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('fails after 120 seconds', async () => {
    let loadState = 'waiting';
    void outcomeOf(lazyScreen(() => new Promise<typeof Screen>(() => undefined)).load()).then((outcome) => {
      loadState = outcome;
    });
    await vi.advanceTimersByTimeAsync(119_999);
    expect(loadState).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(loadState).toBe('failed');
  });

  it('keeps code that arrives too late for the next time that the screen opens', async () => {
    let resolveLoad: (screen: typeof Screen) => void = () => undefined;
    const screen = lazyScreen(
      () =>
        new Promise<typeof Screen>((resolve) => {
          resolveLoad = resolve;
        }),
    );
    const first = outcomeOf(screen.load());
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await first).toBe('failed');
    expect(screen.loaded()).toBeNull();
    resolveLoad(Screen);
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.loaded()).toBe(Screen);
  });

  it('can be retried after a failure', async () => {
    const answers = [() => Promise.reject(new Error('offline')), async () => Screen];
    const screen = lazyScreen(() => (answers.shift() ?? (() => Promise.reject(new Error('asked too often'))))());
    expect(await outcomeOf(screen.load())).toBe('failed');
    expect(screen.loaded()).toBeNull();
    expect(await outcomeOf(screen.load())).toBe('loaded');
    expect(screen.loaded()).toBe(Screen);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('reports a failed preload only when the screen is needed', async () => {
    const onUnhandled = vi.fn();
    process.on('unhandledRejection', onUnhandled);
    const screen = lazyScreen<object>(() => Promise.reject(new Error('offline')));
    preload(undefined, screen);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', onUnhandled);
    expect(onUnhandled).not.toHaveBeenCalled();
    expect(await outcomeOf(screen.load())).toBe('failed');
  });
});
