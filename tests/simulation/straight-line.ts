import { randomFrom } from '#tests/support/random';
import type { VendorModel, VendorWorld, WireAnswer, WireRequest } from './vendor.ts';

export type QuietWorld = VendorWorld & {
  /** Webhooks that were sent, oldest first. None is delivered. */
  webhooks: WireRequest[];
  /** Advances the clock by `ms` and runs all vendor work that is due by then. */
  pass(ms: number): void;
};

/** A world for a single vendor. Time passes only when a test advances it or while a call is answered. */
export function quietWorld(seed = 1, startAt = Date.UTC(2026, 0, 5, 15)): QuietWorld {
  const { next } = randomFrom(seed);
  const webhooks: WireRequest[] = [];
  let scheduled: { at: number; run: () => void }[] = [];
  let at = startAt;
  return {
    webhooks,
    now: () => at,
    random: next,
    send: (webhook) => webhooks.push(webhook),
    later: (afterMs, _label, run) => scheduled.push({ at: at + afterMs, run }),
    pass(ms) {
      const end = at + ms;
      for (;;) {
        const [first] = scheduled.filter((work) => work.at <= end).sort((a, b) => a.at - b.at);
        if (!first) break;
        scheduled = scheduled.filter((work) => work !== first);
        at = Math.max(at, first.at);
        first.run();
      }
      at = end;
    },
  };
}

/** Processes one call to its end, however long the vendor takes. */
export function answerOf(world: QuietWorld, vendor: VendorModel, request: WireRequest): WireAnswer {
  let outcome = vendor.receive(request);
  while ('run' in outcome) {
    world.pass(outcome.afterMs);
    outcome = outcome.run();
  }
  return outcome;
}

/** `fetch` for an adapter: a call reaches the vendor at once and fails if the answer takes more than `patienceMs`. */
export function fetchFrom(world: QuietWorld, vendor: VendorModel, patienceMs = 25_000): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!vendor.serves(url)) throw new TypeError(`no vendor serves ${url.origin}`);
    const startedAt = world.now();
    const body = await request.text();
    const {
      status,
      headers,
      body: text,
    } = answerOf(world, vendor, {
      method: request.method,
      url,
      headers: request.headers,
      body,
    });
    if (world.now() - startedAt > patienceMs) throw new DOMException('the answer took too long', 'TimeoutError');
    return new Response(status === 204 ? null : text, { status, headers });
  };
}
