import { isBrowserTokenCall, isTerminalCall, type Party, partyOf } from './request-log.ts';

/** Each fault's effect, as the front page describes it. */
export const faultKinds = {
  'drop-before': 'nothing is recorded and the connection is cut',
  'drop-after': 'recorded, then the connection is cut',
  delay: 'held for ms, then carried out as usual, even if the caller has disconnected',
  late: 'like delay, but waits for a gateway call that records something: a success without a response',
  '500': 'nothing is recorded, status 500',
  'bad-json': 'carried out, then half of the answer',
  'html-502': 'nothing is recorded, an HTML page with status 502',
  '429': 'nothing is recorded, too many requests',
  '401-expired': 'nothing is recorded, the credentials have expired',
  'search-lag': 'look-ups do not see records younger than ms; lasts until cleared unless times is given',
  'webhook-drop': 'the next webhook is never sent, and not retried',
  'webhook-twice': 'the next webhook is delivered twice',
  'webhook-late': 'the next webhook is sent after ms (2000 if not given), so others may overtake it',
  '500-after': 'recorded, then status 500',
  'html-after': 'recorded, then an HTML page with status 502',
  'wrong-amount': 'recorded correctly, but the answer states a different amount',
  xml: 'carried out, but answered as XML',
  redirect: 'nothing is recorded, 302 to another port (or to `to`)',
} as const;
export type FaultKind = keyof typeof faultKinds;

export type Fault = {
  on: string;
  do: FaultKind;
  /** Remaining number of occurrences, or null if the fault lasts until it is cleared. */
  times: number | null;
  ms: number;
  /** The target of `redirect`. The default is the next port. */
  to?: string | undefined;
  /** Restricts the fault to this account's calls. Without it, the fault affects every account. */
  account?: number | undefined;
};
export type Faults = ReturnType<typeof createFaults>;

/** These faults affect a recorded transaction, so on the gateway they wait for a call that records one. */
const AFTER_RECORDING: ReadonlySet<FaultKind> = new Set([
  'late',
  'drop-after',
  '500-after',
  'html-after',
  'wrong-amount',
  'bad-json',
  'xml',
]);

/** A party's name matches the calls of the product's server to it. A path prefix matches paths that begin with it. */
function matchesPath(on: string, path: string): boolean {
  if (on.startsWith('/')) return path.startsWith(on) && !path.startsWith('/_sandbox');
  if (on === 'terminal') return isTerminalCall(path);
  if (on === 'gateway') return partyOf(path) === 'gateway' && !isBrowserTokenCall(path);
  return partyOf(path) === on;
}

/** `account` is the account of a call or webhook, or null if it is unknown. */
const matchesAccount = (fault: Fault, account: number | null) =>
  fault.account === undefined || fault.account === account;

function appliesToCall(fault: Fault, method: string, path: string): boolean {
  if (!matchesPath(fault.on, path)) return false;
  const party = partyOf(path);
  if (AFTER_RECORDING.has(fault.do) && party === 'gateway' && method === 'GET') return false;
  if (fault.do === 'wrong-amount' || fault.do === 'xml') return party === 'gateway';
  if (fault.do === '401-expired') return !path.startsWith('/oauth/');
  return !fault.do.startsWith('webhook-') && fault.do !== 'search-lag';
}

/** Faults are queued in the order in which they were set. At most one of them applies to a request, plus any lag. */
export function createFaults() {
  let queue: Fault[] = [];

  function consume(fault: Fault): Fault {
    if (fault.times !== null) {
      fault.times -= 1;
      if (fault.times <= 0) queue = queue.filter((other) => other !== fault);
    }
    return fault;
  }

  return {
    add(fault: Fault) {
      queue.push({ ...fault });
    },
    /** Removes all faults, or those of one account. */
    clear(account?: number) {
      queue = account === undefined ? [] : queue.filter((fault) => fault.account !== account);
    },
    list: (): readonly Fault[] => queue,
    /** True if any fault is limited to an account. */
    hasAccountFaults: () => queue.some(({ account }) => account !== undefined),
    take(method: string, path: string, account: number | null): Fault | null {
      const fault = queue.find(
        (candidate) => appliesToCall(candidate, method, path) && matchesAccount(candidate, account),
      );
      return fault ? consume(fault) : null;
    },
    /** A fault names webhooks by their sender, or by a prefix of one of their paths. */
    takeWebhook(party: Party, account: number | null, ...paths: string[]): Fault | null {
      const isForWebhook = ({ do: kind, on }: Fault) =>
        kind.startsWith('webhook-') &&
        (on === party ||
          (on === 'terminal' && paths.some(isTerminalCall)) ||
          (on.startsWith('/') && paths.some((path) => path.startsWith(on))));
      const fault = queue.find((candidate) => isForWebhook(candidate) && matchesAccount(candidate, account));
      return fault ? consume(fault) : null;
    },
    /** Lag affects only lookups, which are searches of the CRM and reads of the gateway. */
    takeLagMs(method: string, path: string, account: number | null): number {
      if (method !== 'GET' && !path.endsWith('/search')) return 0;
      const lag = queue.find(
        (candidate) =>
          candidate.do === 'search-lag' && matchesPath(candidate.on, path) && matchesAccount(candidate, account),
      );
      return lag ? consume(lag).ms : 0;
    },
  };
}
