import { throughLine } from '../engine/database.ts';

const NO_ANSWER = 'the connection was cut';
const RETRY_AFTER_S = 7;

const page = (status: number) =>
  new Response('<html>edge</html>', { status, headers: { 'content-type': 'text/html' } });
const busy = () =>
  new Response(JSON.stringify({ message: 'You have reached your limit', policyName: 'SECONDLY' }), {
    status: 429,
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  });

/** A call of the product to the CRM, as sent (UTC ms). */
export type Call = { at: number; invoice: string } & (
  | { kind: 'look' | 'change' }
  | { kind: 'balance'; owed: string }
  /** `isOpen`: no response excludes that the record was written. */
  | { kind: 'create'; reference: string; cents: number; isOpen: boolean }
);

/** Faults of the line to the CRM (lost requests and responses, error responses) and resets of the clinic's object. */
export function trouble(random: () => number, url: string, now: () => number) {
  const faults = { isOn: true, creates: 0, changes: 0, lostBefore: 0, lostAfter: 0, busy: 0, resets: 0 };
  const calls: Call[] = [];
  /** Periods of the CRM's Retry-After. */
  const waits: { from: number; until: number }[] = [];
  const isHit = (chance: number) => faults.isOn && random() < chance;

  async function write(call: () => Promise<Response>): Promise<Response> {
    if (isHit(0.08)) {
      faults.lostBefore++;
      throw new TypeError(NO_ANSWER);
    }
    if (isHit(0.03)) return page(502);
    if (isHit(0.03)) {
      faults.busy++;
      waits.push({ from: now(), until: now() + RETRY_AFTER_S * 1000 });
      return busy();
    }
    const answer = await call();
    if (isHit(0.1)) {
      faults.lostAfter++;
      throw new TypeError(NO_ANSWER);
    }
    if (isHit(0.03)) return page(500);
    return answer;
  }

  const faultyFetch =
    (real: typeof fetch): typeof fetch =>
    async (input, init) => {
      const { pathname, origin } = new URL(String(input));
      const send = () => real(input, init);
      if (origin !== new URL(url).origin || !pathname.startsWith('/crm/')) return send();
      const recorded = readCall(pathname, init, now());
      if (recorded) calls.push(recorded);
      if (recorded?.kind === 'create' || recorded?.kind === 'change') {
        faults[recorded.kind === 'create' ? 'creates' : 'changes']++;
        const answer = await write(send);
        const isRefusal = answer.status === 429 || (answer.status >= 400 && answer.status < 500);
        if (recorded.kind === 'create') recorded.isOpen = !isRefusal;
        return answer;
      }
      if (isHit(0.02)) throw new TypeError(NO_ANSWER);
      const answer = await send();
      if (recorded?.kind === 'balance') recorded.owed = await owedIn(answer);
      return answer;
    };

  /** A reset before or after a statement: the turn ends, and the next one starts from the stored state. */
  const reset = () => {
    faults.resets++;
    // A Retry-After received at this moment may not be stored.
    if (waits.at(-1)?.from === now()) waits.pop();
    return Object.assign(new Error('Network connection lost.'), { retryable: true });
  };
  return {
    faults,
    calls,
    waits,
    fetch: faultyFetch,
    database: (d1: D1Database) =>
      throughLine(d1, async ({ execute }) => {
        if (isHit(0.01)) throw reset();
        const result = await execute();
        if (isHit(0.01)) throw reset();
        return result;
      }),
  };
}

type CallBody = {
  inputs?: { id: string }[];
  properties?: Record<string, string>;
  associations?: { to: { id: string } }[];
};

function readCall(pathname: string, init: RequestInit | undefined, at: number): Call | null {
  const { inputs, properties, associations } = JSON.parse(String(init?.body ?? '{}')) as CallBody;
  const invoice = inputs?.[0]?.id ?? associations?.[0]?.to.id ?? '';
  if (init?.method === 'PATCH') return { at, kind: 'change', invoice };
  if (/\/invoices\/commerce_payments\/batch\/read$/.test(pathname)) return { at, kind: 'look', invoice };
  if (/\/invoices\/batch\/read$/.test(pathname)) return { at, kind: 'balance', invoice, owed: '' };
  if (!/\/commerce_payments$/.test(pathname)) return null;
  const {
    hs_reference_number: reference = '',
    hs_initial_amount: amount = '',
    hs_refunds_amount: refunds = '0',
  } = properties ?? {};
  const cents = Math.round((Number(amount) - Number(refunds)) * 100);
  return { at, kind: 'create', invoice, reference, cents, isOpen: true };
}

async function owedIn(answer: Response): Promise<string> {
  const { results } = (await answer.clone().json()) as { results?: { properties: Record<string, string> }[] };
  return results?.[0]?.properties.hs_balance_due ?? '';
}
