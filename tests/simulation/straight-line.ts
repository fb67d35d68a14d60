import { randomFrom } from '#tests/support/random';
import type { VendorModel, VendorWorld, WireAnswer, WireRequest } from './vendor.ts';

export type QuietWorld = VendorWorld & {
  /** Webhooks that were sent, oldest first. None is delivered. */
  sent: WireRequest[];
  /** Time passes (ms), and the vendor does what is due by then. */
  pass(ms: number): void;
};

/** A world for one vendor alone: time passes only when a test says so, or while a call is answered. */
export function quietWorld(seed = 1, startAt = Date.UTC(2026, 0, 5, 15)): QuietWorld {
  const { next } = randomFrom(seed);
  const sent: WireRequest[] = [];
  let due: { at: number; run: () => void }[] = [];
  let at = startAt;
  return {
    sent,
    now: () => at,
    random: next,
    send: (webhook) => sent.push(webhook),
    later: (afterMs, _what, run) => due.push({ at: at + afterMs, run }),
    pass(ms) {
      const end = at + ms;
      for (;;) {
        const [first] = due.filter((work) => work.at <= end).sort((a, b) => a.at - b.at);
        if (!first) break;
        due = due.filter((work) => work !== first);
        at = Math.max(at, first.at);
        first.run();
      }
      at = end;
    },
  };
}

/** Work on one call to its end, however long the vendor takes. */
export function answerOf(world: QuietWorld, vendor: VendorModel, request: WireRequest): WireAnswer {
  let outcome = vendor.receive(request);
  while ('run' in outcome) {
    world.pass(outcome.afterMs);
    outcome = outcome.run();
  }
  return outcome;
}

/** `fetch` for an adapter: each call reaches the vendor at once, and fails when its answer takes more than `patienceMs`. */
export function fetchFrom(world: QuietWorld, vendor: VendorModel, patienceMs = 25_000): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!vendor.serves(url)) throw new TypeError(`nobody answers at ${url.origin}`);
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
