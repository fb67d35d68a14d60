import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fetchAhead, lazyScreen } from './lazy-screen.ts';

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
    let end = 'waiting';
    void endOf(lazyScreen(() => new Promise<typeof Screen>(() => undefined)).load()).then((said) => {
      end = said;
    });
    await vi.advanceTimersByTimeAsync(119_999);
    expect(end).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(end).toBe('failed');
  });

  it('that came too late is ready when the screen is opened again', async () => {
    let arrive: (screen: typeof Screen) => void = () => undefined;
    const screen = lazyScreen(
      () =>
        new Promise<typeof Screen>((resolve) => {
          arrive = resolve;
        }),
    );
    const first = endOf(screen.load());
    await vi.advanceTimersByTimeAsync(120_000);
    expect(await first).toBe('failed');
    expect(screen.loaded()).toBeNull();
    arrive(Screen);
    await vi.advanceTimersByTimeAsync(0);
    expect(screen.loaded()).toBe(Screen);
  });

  it('that failed is requested again; once loaded it shows without waiting', async () => {
    const answers = [() => Promise.reject(new Error('offline')), async () => Screen];
    const screen = lazyScreen(() => (answers.shift() ?? (() => Promise.reject(new Error('asked too often'))))());
    expect(await endOf(screen.load())).toBe('failed');
    expect(screen.loaded()).toBeNull();
    expect(await endOf(screen.load())).toBe('loaded');
    expect(screen.loaded()).toBe(Screen);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('that failed to load ahead causes no error until it is needed', async () => {
    const unheard = vi.fn();
    process.on('unhandledRejection', unheard);
    const screen = lazyScreen<object>(() => Promise.reject(new Error('offline')));
    fetchAhead(undefined, screen);
    vi.useRealTimers();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unheard);
    expect(unheard).not.toHaveBeenCalled();
    expect(await endOf(screen.load())).toBe('failed');
  });
});
