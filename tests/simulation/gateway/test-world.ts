import { randomFrom } from '#tests/support/random';
import type { VendorStep, VendorWorld, WireAnswer, WireRequest } from '../vendor.ts';
import { createGatewayModel } from './model.ts';
import { isAnswer } from './tokens.ts';
import type { GatewaySetUp, Terminal } from './truth.ts';

type Timer = { at: number; order: number; run: () => void };
type Body = Record<string, unknown>;

const terminal = (terminalId: string, commerceType: Terminal['commerceType']): Terminal => ({
  terminalId,
  commerceType,
  name: `Terminal ${terminalId}`,
  apiKey: `key-${terminalId}`,
  publicKey: `public-${terminalId}`,
});

export const BASE = 'https://gateway.test';
const SET_UP: GatewaySetUp = {
  baseUrl: BASE,
  merchants: [
    {
      merchantId: 'M1',
      name: 'Maple Street Dental',
      webhookUrl: 'https://product.test/hooks/secret',
      terminals: [terminal('web', 'ECOMMERCE'), terminal('desk', 'RETAIL')],
    },
    { merchantId: 'M2', name: 'Cedar Vet Clinic', webhookUrl: null, terminals: [terminal('other', 'ECOMMERCE')] },
  ],
};

/** An answer as tests read it, and when it came, UTC ms; `json` is {} where the body is none. */
export type Heard = { status: number; at: number; body: string; json: Body & { payload?: Record<string, never> } };

export type Pending = { answer: WireAnswer | null; at: number };

/** A model with a clock that a test moves. Nothing happens but while it moves. */
export function createTestGateway(seed = 1) {
  let now = Date.UTC(2026, 0, 5, 12);
  let order = 0;
  let timers: Timer[] = [];
  const sent: { at: number; body: string }[] = [];
  const random = randomFrom(seed);
  const after = (ms: number, run: () => void) => timers.push({ at: now + ms, order: order++, run });

  const world: VendorWorld = {
    now: () => now,
    random: random.next,
    send: (webhook) => sent.push({ at: now, body: webhook.body }),
    later: (ms, _what, run) => after(ms, run),
  };
  const model = createGatewayModel(world, SET_UP);
  model.knobs.voidsAreListed = true;

  function runNext(until: number): boolean {
    const [next] = timers.sort((a, b) => a.at - b.at || a.order - b.order);
    if (!next || next.at > until) return false;
    timers = timers.slice(1);
    now = next.at;
    next.run();
    return true;
  }

  function advance(ms: number): void {
    const until = now + ms;
    while (runNext(until));
    now = until;
  }

  /** Send a call without waiting for its answer. */
  function start(method: string, path: string, body?: Body, headers: Record<string, string> = {}): Pending {
    const request: WireRequest = {
      method,
      url: new URL(path, BASE),
      headers: new Headers({ 'api-key': 'key-web', accept: 'application/json', ...headers }),
      body: body ? JSON.stringify(body) : '',
    };
    const pending: Pending = { answer: null, at: now };
    const follow = (next: WireAnswer | VendorStep): void => {
      if (isAnswer(next)) Object.assign(pending, { answer: next, at: now });
      else after(next.afterMs, () => follow(next.run()));
    };
    follow(model.receive(request));
    return pending;
  }

  function heard({ answer, at }: Pending): Heard {
    if (!answer) throw new Error('There is no answer yet');
    let json: unknown = {};
    try {
      json = JSON.parse(answer.body);
    } catch {}
    return { at, status: answer.status, body: answer.body, json: json as Heard['json'] };
  }

  /** Send a call, and let the time pass that its answer takes. */
  function exchange(method: string, path: string, body?: Body, headers: Record<string, string> = {}): Pending {
    const pending = start(method, path, body, headers);
    while (!pending.answer && runNext(Number.POSITIVE_INFINITY));
    return pending;
  }

  const call = (...args: Parameters<typeof exchange>): Heard => heard(exchange(...args));

  const sale = (amount: string, more: Body = {}): Body => ({
    type: 'SALE',
    amount,
    'software-type': 'Test',
    'software-type-version': '1',
    ...more,
  });

  return {
    model,
    world,
    sent,
    advance,
    start,
    exchange,
    heard,
    call,
    now: () => now,
    startSale(amount: string, more: Body = {}, jwt = model.issueToken('web')) {
      return start('POST', '/rest/v2/mobile/transactions/sale', sale(amount, more), { mobilejwt: jwt });
    },
    sell(amount: string, more: Body = {}, jwt = model.issueToken('web')): Heard {
      return call('POST', '/rest/v2/mobile/transactions/sale', sale(amount, more), { mobilejwt: jwt });
    },
    startTap: (amount: string, more: Body = {}) =>
      start('POST', '/rest/v2/terminal/transactions/sale', sale(amount, more), { 'api-key': 'key-desk' }),
    debit(amount: string, more: Body = {}): Heard {
      const headers = { achmobilejwt: model.issueToken('web', 'ach') };
      return call('POST', '/rest/v2/ach/mobile/transactions/debit', { ...sale(amount, more), type: 'DEBIT' }, headers);
    },
    reverse: (type: 'VOID' | 'REFUND', id: string, amount?: string) =>
      call('POST', '/rest/v2/transactions', { type, id, amount }),
    find: (query: string) => call('GET', `/rest/v2/transactions?${query}`),
    /** The charge that was recorded last. */
    lastCharge() {
      const charge = model.truth().charges.at(-1);
      if (!charge) throw new Error('Nothing was charged');
      return charge;
    },
  };
}

export type TestGateway = ReturnType<typeof createTestGateway>;

/** Rows of a look-up's answer. */
export function rowsOf({ json }: Heard): Record<string, string>[] {
  const payload = (json.payload ?? {}) as Record<string, Record<string, Record<string, string>[]>>;
  return (
    payload.transactions?.transaction ??
    payload['ach-transactions']?.['ach-transaction'] ??
    payload.batches?.batch ??
    []
  );
}

export const transactionOf = ({ json }: Heard): Record<string, string> | undefined => json.payload?.transaction;
export const errorOf = ({ json }: Heard): Record<string, string> | undefined => json.payload?.error;
