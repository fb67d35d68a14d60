import { atLine } from '../engine/database.ts';

const CREATE = /\/commerce_payments$/;
const NO_ANSWER = 'the connection was cut';

const page = (status: number) =>
  new Response('<html>edge</html>', { status, headers: { 'content-type': 'text/html' } });
const busy = () =>
  new Response(JSON.stringify({ message: 'You have reached your limit', policyName: 'SECONDLY' }), { status: 429 });

/** Calls that are lost on their way there or back, other answers than the real one, and a clinic that is reset in between. */
export function trouble(random: () => number, url: string) {
  const met = { isOn: true, creates: 0, changes: 0, lostBefore: 0, lostAfter: 0, resets: 0 };
  const meets = (chance: number) => met.isOn && random() < chance;

  async function change(call: () => Promise<Response>): Promise<Response> {
    if (meets(0.08)) {
      met.lostBefore++;
      throw new TypeError(NO_ANSWER);
    }
    if (meets(0.03)) return page(502);
    if (meets(0.03)) return busy();
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
    (input, init) => {
      const { pathname, origin } = new URL(String(input));
      const call = () => real(input, init);
      if (origin !== new URL(url).origin || pathname.startsWith('/_sandbox') || pathname.startsWith('/oauth'))
        return call();
      if (init?.method === 'PATCH') {
        met.changes++;
        return change(call);
      }
      if (init?.method === 'POST' && CREATE.test(pathname)) {
        met.creates++;
        return change(call);
      }
      return meets(0.02) ? Promise.reject(new TypeError(NO_ANSWER)) : call();
    };

  /** A reset before a statement or after it: the turn ends there, and the next begins with what is stored. */
  const reset = () => {
    met.resets++;
    return Object.assign(new Error('Network connection lost.'), { retryable: true });
  };
  return {
    met,
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
