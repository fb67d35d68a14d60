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

/** The call has no effect, and the answer does not follow the contract. */
const BEFORE = [
  '500-before',
  'html-502-before',
  'unauthorized',
  'forbidden',
  'rate-limited',
  'redirect',
  'hangs-before',
] as const;

/** The call takes effect, and the answer is unreadable or minutes late. */
const UNREADABLE = ['html-after', 'bad-json-after', 'empty-after', 'xml-after', 'answer-late'] as const;
const AFTER = ['500-after', ...UNREADABLE] as const;

/** Faults of each webhook of the transaction: none arrives, three arrive, or one arrives hours late or is garbled. */
const WEBHOOKS = ['webhook-lost', 'webhook-repeated', 'webhook-late', 'webhook-first', 'webhook-garbled'] as const;

const CHARGES = [
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
const TOKENS = ['token-refused', 'token-expired', 'token-used'] as const;
const READERS = ['reader-cancelled', 'reader-timed-out', 'reader-offline', 'reader-busy', 'reader-slow'] as const;
const DEBITS = ['returned', 'returned-after-settled', 'debit-cancelled', 'debit-unlisted', 'debit-on-hold'] as const;
const REVERSALS = ['late', 'declined', 'wrong-amount-answered', 'unknown-result', 'no-transaction-answered'] as const;
const LOOKUPS = ['stale', 'unknown-words', 'no-words', 'filter-ignored'] as const;

const READS = [...BEFORE, ...UNREADABLE] as const;

/** Every fault of the model, by the calls that can have it. */
export const FAULTS = {
  token: [...BEFORE, ...UNREADABLE],
  sale: [...BEFORE, ...AFTER, ...WEBHOOKS, ...CHARGES, ...TOKENS],
  'terminal-sale': [...BEFORE, ...AFTER, ...WEBHOOKS, ...CHARGES, ...READERS],
  'ach-sale': [...BEFORE, ...AFTER, ...WEBHOOKS, ...CHARGES, ...TOKENS, ...DEBITS],
  void: [...BEFORE, ...AFTER, ...WEBHOOKS, ...REVERSALS],
  refund: [...BEFORE, ...AFTER, ...WEBHOOKS, ...REVERSALS],
  find: [...READS, ...LOOKUPS],
  'ach-find': [...READS, ...LOOKUPS],
  batches: [...READS, 'stale', 'unknown-words'],
  'open-batch': [...READS, 'stale'],
  close: [...BEFORE, ...AFTER, 'late', 'nothing-open', 'close-pending', 'close-failed', 'closed-by-night'],
  settings: READS,
} as const satisfies Record<Call, readonly string[]>;

export type Fault = (typeof FAULTS)[Call][number];

type WaitingFault = { call: Call; fault: Fault; terminalId: string | null };

/** A fault that a call had, for the coverage table of a run. */
export type UsedFault = { at: number; call: Call; fault: Fault; terminalId: string | null };

export type Faults = {
  /** Plans the fault for the next call of this kind (and terminal, if given). An unknown pair throws. */
  add(call: Call, fault: Fault, terminalId?: string): void;
  waiting(): readonly WaitingFault[];
  clear(): void;
  /** All faults so far, oldest first. */
  history: UsedFault[];
  /** For the model: uses up and returns the fault of a call that has just arrived, or null. */
  take(call: Call, terminalId: string | null): Fault | null;
};

/** `now`: UTC ms; `drawFault`: draws the fault of a call for which none is waiting. */
export function createFaults(now: () => number, drawFault: (call: Call) => Fault | null): Faults {
  let queue: WaitingFault[] = [];
  const history: UsedFault[] = [];
  return {
    history,
    add(call, fault, terminalId) {
      if (!faultsOf(call).includes(fault)) throw new Error(`No call of kind ${call} meets the fault ${fault}`);
      queue.push({ call, fault, terminalId: terminalId ?? null });
    },
    waiting: () => queue,
    clear() {
      queue = [];
    },
    take(call, terminalId) {
      const next = queue.find(
        (waiting) => waiting.call === call && (waiting.terminalId === null || waiting.terminalId === terminalId),
      );
      const fault = next?.fault ?? drawFault(call);
      queue = queue.filter((waiting) => waiting !== next);
      if (fault) history.push({ at: now(), call, fault, terminalId });
      return fault;
    },
  };
}

export const faultsOf = (call: Call): readonly Fault[] => FAULTS[call];
