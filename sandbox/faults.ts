import { isBrowserToken, isTerminalCall, partyOf } from './wire-paths.ts';

export const faultKinds = [
  'drop-before',
  'drop-after',
  'delay',
  'late',
  '500',
  'bad-json',
  'html-502',
  '429',
  '401-expired',
  'search-lag',
  'webhook-drop',
  'webhook-twice',
  'webhook-late',
  '500-after',
  'html-after',
  'wrong-amount',
  'redirect',
] as const;
export type FaultKind = (typeof faultKinds)[number];

export type Fault = {
  on: string;
  do: FaultKind;
  /** How often it still strikes; null until cleared. */
  times: number | null;
  ms: number;
  /** Where `redirect` points; by default the next port. */
  to?: string | undefined;
};
export type Faults = ReturnType<typeof createFaults>;

/** These speak of something recorded, so on the gateway they wait for a call that records. */
const AFTER_RECORDING: ReadonlySet<FaultKind> = new Set([
  'drop-after',
  '500-after',
  'html-after',
  'wrong-amount',
  'bad-json',
]);

/** A name stands for what the product's server calls; a path prefix for exactly those paths. */
function concerns(on: string, path: string): boolean {
  if (on.startsWith('/')) return path.startsWith(on) && !path.startsWith('/_sandbox');
  if (on === 'terminal') return isTerminalCall(path);
  if (on === 'gateway') return partyOf(path) === 'gateway' && !isBrowserToken(path);
  return partyOf(path) === on;
}

function applies(fault: Fault, method: string, path: string): boolean {
  if (!concerns(fault.on, path)) return false;
  const party = partyOf(path);
  if (AFTER_RECORDING.has(fault.do) && party === 'gateway' && method === 'GET') return false;
  if (fault.do === 'wrong-amount') return party === 'gateway';
  if (fault.do === '401-expired') return !path.startsWith('/oauth/');
  return !fault.do.startsWith('webhook-') && fault.do !== 'search-lag';
}

/** Faults wait in the order they were set; a request meets at most one of them, and any lag besides. */
export function createFaults() {
  let queue: Fault[] = [];

  function strike(fault: Fault): Fault {
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
    clear() {
      queue = [];
    },
    list: (): readonly Fault[] => queue,
    take(method: string, path: string): Fault | null {
      const fault = queue.find((candidate) => applies(candidate, method, path));
      return fault ? strike(fault) : null;
    },
    /** Only look-ups lag: searches of the CRM and reads of the gateway. */
    takeLagMs(method: string, path: string): number {
      if (method !== 'GET' && !path.endsWith('/search')) return 0;
      const lag = queue.find((candidate) => candidate.do === 'search-lag' && concerns(candidate.on, path));
      return lag ? strike(lag).ms : 0;
    },
  };
}
