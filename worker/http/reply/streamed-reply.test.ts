import { describe, expect, it } from 'vitest';
import { openReply } from './run-to-completion.ts';

/** Opens a reply whose pauses and work the test ends. */
function openTestReply(outcome: () => Promise<unknown> = async () => ({ state: 'approved' })) {
  const pauses: { ms: number; end(): void }[] = [];
  const pause = (ms: number) => new Promise<void>((resolve) => void pauses.push({ ms, end: resolve }));
  const work = Promise.withResolvers<void>();
  const response = openReply({ firstLine: { state: 'waiting' }, work: work.promise, outcome, pause });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const readLine = async () => (await reader?.read())?.value;
  return { response, reader, next: readLine, pauses, work };
}

describe('a streamed reply', () => {
  it('sends its first line at once, an empty one every 15 seconds, and the outcome last', async () => {
    const { response, next, pauses, work } = openTestReply();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
    expect(await next()).toBe('{"state":"waiting"}\n');
    for (const round of [0, 1, 2]) {
      await expect.poll(() => pauses.length).toBe(round + 1);
      pauses[round]?.end();
      expect(await next()).toBe('\n');
    }
    work.resolve();
    expect(await next()).toBe('{"state":"approved"}\n');
    expect(await next()).toBeUndefined();
    expect(new Set(pauses.map(({ ms }) => ms))).toEqual(new Set([15_000]));
  });

  it('sends the outcome even when the work fails', async () => {
    const { next, work } = openTestReply(async () => ({ state: 'unknown' }));
    await next();
    work.reject(new Error('broken'));
    expect([await next(), await next()]).toEqual(['{"state":"unknown"}\n', undefined]);
  });

  it('ends without a last line when the outcome cannot be read', async () => {
    const { next, work } = openTestReply(() => Promise.reject(new Error('no database')));
    await next();
    work.resolve();
    expect(await next()).toBeUndefined();
  });

  it('stops sending when its client disconnects', async () => {
    const outcomeRead = Promise.withResolvers<void>();
    const { next, reader, pauses } = openTestReply(async () => outcomeRead.resolve());
    await next();
    await expect.poll(() => pauses.length).toBe(1);
    await reader?.cancel();
    await outcomeRead.promise;
    expect(pauses).toHaveLength(1);
  });
});
