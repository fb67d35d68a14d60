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

/** An answer as tests read it; `at`: its arrival (UTC ms); `json`: {} if the body is not JSON. */
export type TestAnswer = { status: number; at: number; body: string; json: Body & { payload?: Record<string, never> } };

export type Pending = { answer: WireAnswer | null; at: number };

/** A model with a clock that the test advances. Nothing happens otherwise. */
export function createTestGateway(seed = 1) {
  let now = Date.UTC(2026, 0, 5, 12);
  let order = 0;
  let timers: Timer[] = [];
  const webhooks: { at: number; body: string }[] = [];
  const random = randomFrom(seed);
  const after = (ms: number, run: () => void) => timers.push({ at: now + ms, order: order++, run });

  const world: VendorWorld = {
    now: () => now,
    random: random.next,
    send: (webhook) => webhooks.push({ at: now, body: webhook.body }),
    later: (ms, _label, run) => after(ms, run),
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

  /** Sends a call without waiting for its answer. */
  function start(method: string, path: string, body?: Body, headers: Record<string, string> = {}): Pending {
    const request: WireRequest = {
      method,
      url: new URL(path, BASE),
      headers: new Headers({ 'api-key': 'key-web', accept: 'application/json', ...headers }),
      body: body ? JSON.stringify(body) : '',
    };
    const pending: Pending = { answer: null, at: now };
    const advanceStep = (next: WireAnswer | VendorStep): void => {
      if (isAnswer(next)) Object.assign(pending, { answer: next, at: now });
      else after(next.afterMs, () => advanceStep(next.run()));
    };
    advanceStep(model.receive(request));
    return pending;
  }

  function readAnswer({ answer, at }: Pending): TestAnswer {
    if (!answer) throw new Error('There is no answer yet');
    let json: unknown = {};
    try {
      json = JSON.parse(answer.body);
    } catch {}
    return { at, status: answer.status, body: answer.body, json: json as TestAnswer['json'] };
  }

  /** Sends a call and advances the clock until its answer arrives. */
  function exchange(method: string, path: string, body?: Body, headers: Record<string, string> = {}): Pending {
    const pending = start(method, path, body, headers);
    while (!pending.answer && runNext(Number.POSITIVE_INFINITY));
    return pending;
  }

  const call = (...args: Parameters<typeof exchange>): TestAnswer => readAnswer(exchange(...args));

  const sale = (amount: string, fields: Body = {}): Body => ({
    type: 'SALE',
    amount,
    'software-type': 'Test',
    'software-type-version': '1',
    ...fields,
  });

  return {
    model,
    world,
    webhooks,
    advance,
    start,
    exchange,
    readAnswer,
    call,
    now: () => now,
    startSale(amount: string, fields: Body = {}, jwt = model.issueToken('web')) {
      return start('POST', '/rest/v2/mobile/transactions/sale', sale(amount, fields), { mobilejwt: jwt });
    },
    sell(amount: string, fields: Body = {}, jwt = model.issueToken('web')): TestAnswer {
      return call('POST', '/rest/v2/mobile/transactions/sale', sale(amount, fields), { mobilejwt: jwt });
    },
    startTap: (amount: string, fields: Body = {}) =>
      start('POST', '/rest/v2/terminal/transactions/sale', sale(amount, fields), { 'api-key': 'key-desk' }),
    debit(amount: string, fields: Body = {}): TestAnswer {
      const headers = { achmobilejwt: model.issueToken('web', 'ach') };
      const body = { ...sale(amount, fields), type: 'DEBIT' };
      return call('POST', '/rest/v2/ach/mobile/transactions/debit', body, headers);
    },
    reverse: (type: 'VOID' | 'REFUND', id: string, amount?: string) =>
      call('POST', '/rest/v2/transactions', { type, id, amount }),
    find: (query: string) => call('GET', `/rest/v2/transactions?${query}`),
    /** The charge recorded last. */
    lastCharge() {
      const charge = model.truth().charges.at(-1);
      if (!charge) throw new Error('Nothing was charged');
      return charge;
    },
  };
}

export type TestGateway = ReturnType<typeof createTestGateway>;

/** Rows of a look-up's answer. */
export function rowsOf({ json }: TestAnswer): Record<string, string>[] {
  const payload = (json.payload ?? {}) as Record<string, Record<string, Record<string, string>[]>>;
  return (
    payload.transactions?.transaction ??
    payload['ach-transactions']?.['ach-transaction'] ??
    payload.batches?.batch ??
    []
  );
}

export const transactionOf = ({ json }: TestAnswer): Record<string, string> | undefined => json.payload?.transaction;
export const errorOf = ({ json }: TestAnswer): Record<string, string> | undefined => json.payload?.error;
