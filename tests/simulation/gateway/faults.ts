/** Kinds of calls to the gateway; a fault waits for the next call of one kind. */
export const CALLS = [
  'token',
  'sale',
  'terminal-sale',
  'ach-sale',
  'void',
  'refund',
  'find',
  'ach-find',
  'batches',
  'open-batch',
  'close',
  'settings',
] as const;
export type Call = (typeof CALLS)[number];

/** The call has no effect, and the answer is not one of the contract. */
const REFUSED = [
  '500-before',
  'html-502-before',
  'unauthorized',
  'forbidden',
  'rate-limited',
  'redirect',
  'hangs-before',
] as const;

/** The call has its effect, and the answer cannot be read, or comes minutes later. */
const UNREADABLE = ['html-after', 'bad-json-after', 'empty-after', 'xml-after', 'answer-late'] as const;
const AFTER = ['500-after', ...UNREADABLE] as const;

/** Faults of each webhook of the transaction: none arrives, three arrive, or one arrives hours late or is garbled. */
const WEBHOOK = ['webhook-lost', 'webhook-repeated', 'webhook-late', 'webhook-first', 'webhook-garbled'] as const;

const CHARGED = [
  'late',
  'declined',
  'issuer-silent',
  'duplicate-error',
  'wrong-amount-charged',
  'wrong-amount-answered',
  'other-order-answered',
  'unknown-result',
  'no-amount-answered',
  'no-id-answered',
  'no-transaction-answered',
  'charged-twice',
] as const;
const TOKEN = ['token-refused', 'token-expired', 'token-used'] as const;
const READER = ['reader-cancelled', 'reader-timed-out', 'reader-offline', 'reader-busy', 'reader-slow'] as const;
const DEBIT = ['returned', 'returned-after-settled', 'debit-cancelled', 'debit-unlisted', 'debit-on-hold'] as const;
const REVERSED = ['late', 'declined', 'wrong-amount-answered', 'unknown-result', 'no-transaction-answered'] as const;
const LOOKED_UP = ['stale', 'unknown-words', 'no-words', 'filter-ignored'] as const;

const READING = [...REFUSED, ...UNREADABLE] as const;

/** Every fault that the model knows, by the calls that can meet it. */
export const FAULTS = {
  token: [...REFUSED, ...UNREADABLE],
  sale: [...REFUSED, ...AFTER, ...WEBHOOK, ...CHARGED, ...TOKEN],
  'terminal-sale': [...REFUSED, ...AFTER, ...WEBHOOK, ...CHARGED, ...READER],
  'ach-sale': [...REFUSED, ...AFTER, ...WEBHOOK, ...CHARGED, ...TOKEN, ...DEBIT],
  void: [...REFUSED, ...AFTER, ...WEBHOOK, ...REVERSED],
  refund: [...REFUSED, ...AFTER, ...WEBHOOK, ...REVERSED],
  find: [...READING, ...LOOKED_UP],
  'ach-find': [...READING, ...LOOKED_UP],
  batches: [...READING, 'stale', 'unknown-words'],
  'open-batch': [...READING, 'stale'],
  close: [...REFUSED, ...AFTER, 'late', 'nothing-open', 'close-pending', 'close-failed', 'closed-by-night'],
  settings: READING,
} as const satisfies Record<Call, readonly string[]>;

export type Fault = (typeof FAULTS)[Call][number];

type Waiting = { call: Call; fault: Fault; terminalId: string | null };

/** A fault that a call met, for tables of a run's coverage. */
export type Met = { at: number; call: Call; fault: Fault; terminalId: string | null };

export type Faults = {
  /** The next call of this kind (of this terminal, if one is given) meets the fault. An unknown pair throws. */
  add(call: Call, fault: Fault, terminalId?: string): void;
  waiting(): readonly Waiting[];
  clear(): void;
  met: Met[];
  /** For the model: uses up and returns the fault of a call that has just arrived, or null. */
  take(call: Call, terminalId: string | null): Fault | null;
};

/** `now`: UTC ms; `byChance`: draws the fault of a call for which none is waiting. */
export function createFaults(now: () => number, byChance: (call: Call) => Fault | null): Faults {
  let queue: Waiting[] = [];
  const met: Met[] = [];
  return {
    met,
    add(call, fault, terminalId) {
      if (!faultsOf(call).includes(fault)) throw new Error(`No call of kind ${call} meets the fault ${fault}`);
      queue.push({ call, fault, terminalId: terminalId ?? null });
    },
    waiting: () => queue,
    clear() {
      queue = [];
    },
    take(call, terminalId) {
      const next = queue.find((w) => w.call === call && (w.terminalId === null || w.terminalId === terminalId));
      const fault = next?.fault ?? byChance(call);
      queue = queue.filter((waiting) => waiting !== next);
      if (fault) met.push({ at: now(), call, fault, terminalId });
      return fault;
    },
  };
}

export const faultsOf = (call: Call): readonly Fault[] => FAULTS[call];
