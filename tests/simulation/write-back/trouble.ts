import { atLine } from '../engine/database.ts';

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
  /** `isOpen`: no response rules out that the record was written. */
  | { kind: 'create'; reference: string; cents: number; isOpen: boolean }
);

/** Faults of the line to the CRM (lost requests and responses, error responses) and resets of the clinic's object. */
export function trouble(random: () => number, url: string, now: () => number) {
  const met = { isOn: true, creates: 0, changes: 0, lostBefore: 0, lostAfter: 0, busy: 0, resets: 0 };
  const calls: Call[] = [];
  /** Periods of the CRM's Retry-After. */
  const waits: { from: number; until: number }[] = [];
  const meets = (chance: number) => met.isOn && random() < chance;

  async function write(call: () => Promise<Response>): Promise<Response> {
    if (meets(0.08)) {
      met.lostBefore++;
      throw new TypeError(NO_ANSWER);
    }
    if (meets(0.03)) return page(502);
    if (meets(0.03)) {
      met.busy++;
      waits.push({ from: now(), until: now() + RETRY_AFTER_S * 1000 });
      return busy();
    }
    const answer = await call();
    if (meets(0.1)) {
      met.lostAfter++;
      throw new TypeError(NO_ANSWER);
    }
    if (meets(0.03)) return page(500);
    return answer;
  }

  const fetchBy =
    (real: typeof fetch): typeof fetch =>
    async (input, init) => {
      const { pathname, origin } = new URL(String(input));
      const send = () => real(input, init);
      if (origin !== new URL(url).origin || !pathname.startsWith('/crm/')) return send();
      const noted = note(pathname, init, now());
      if (noted) calls.push(noted);
      if (noted?.kind === 'create' || noted?.kind === 'change') {
        met[noted.kind === 'create' ? 'creates' : 'changes']++;
        const answer = await write(send);
        const isRefusal = answer.status === 429 || (answer.status >= 400 && answer.status < 500);
        if (noted.kind === 'create') noted.isOpen = !isRefusal;
        return answer;
      }
      if (meets(0.02)) throw new TypeError(NO_ANSWER);
      const answer = await send();
      if (noted?.kind === 'balance') noted.owed = await owedIn(answer);
      return answer;
    };

  /** A reset before or after a statement: the turn ends, and the next one starts from the stored state. */
  const reset = () => {
    met.resets++;
    // A Retry-After received at this moment may not be stored.
    if (waits.at(-1)?.from === now()) waits.pop();
    return Object.assign(new Error('Network connection lost.'), { retryable: true });
  };
  return {
    met,
    calls,
    waits,
    fetch: fetchBy,
    database: (d1: D1Database) =>
      atLine(d1, async ({ execute }) => {
        if (meets(0.01)) throw reset();
        const done = await execute();
        if (meets(0.01)) throw reset();
        return done;
      }),
  };
}

type Asked = {
  inputs?: { id: string }[];
  properties?: Record<string, string>;
  associations?: { to: { id: string } }[];
};

function note(pathname: string, init: RequestInit | undefined, at: number): Call | null {
  const { inputs, properties, associations } = JSON.parse(String(init?.body ?? '{}')) as Asked;
  const invoice = inputs?.[0]?.id ?? associations?.[0]?.to.id ?? '';
  if (init?.method === 'PATCH') return { at, kind: 'change', invoice };
  if (/\/invoices\/commerce_payments\/batch\/read$/.test(pathname)) return { at, kind: 'look', invoice };
  if (/\/invoices\/batch\/read$/.test(pathname)) return { at, kind: 'balance', invoice, owed: '' };
  if (!/\/commerce_payments$/.test(pathname)) return null;
  const {
    hs_reference_number: reference = '',
    hs_initial_amount: amount = '',
    hs_refunds_amount: back = '0',
  } = properties ?? {};
  const cents = Math.round((Number(amount) - Number(back)) * 100);
  return { at, kind: 'create', invoice, reference, cents, isOpen: true };
}

async function owedIn(answer: Response): Promise<string> {
  const { results } = (await answer.clone().json()) as { results?: { properties: Record<string, string> }[] };
  return results?.[0]?.properties.hs_balance_due ?? '';
}
