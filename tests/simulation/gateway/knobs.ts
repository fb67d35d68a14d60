/** Keys for looking up a transaction. Each is a separate index with its own lag. */
export const INDEXES = ['id', 'order', 'invoice', 'time'] as const;
export type Index = (typeof INDEXES)[number];

export type ReaderAct = 'tap' | 'decline' | 'cancel' | 'none';

/** Minimum and maximum in ms; each use draws its own value by the seed. */
export type Span = [number, number];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Everything that the contract leaves open, so that a run can try any interpretation. */
export type Knobs = {
  /** When a call is compared with earlier ones (G13): never, when it arrives, or when it is recorded. */
  dedupe: 'none' | 'arrival' | 'commit';
  /** Fields that must be equal besides the invoice value (G12). */
  dedupeCompares: { amount: boolean; card: boolean };
  /** Reversed charges that still count as paid (G13). */
  dedupeCounts: { voided: boolean; refunded: boolean; returned: boolean };
  /** True if refunds are compared with earlier refunds in the same way (G20). */
  dedupeRefunds: boolean;
  /** Time for which the duplicate check does not see an earlier charge (ms). */
  dedupeLagMs: number;
  dedupeAnswer: 'original' | 'error';
  /** From the arrival of a call until it takes effect. */
  processMs: Span;
  lagMs: Record<Index, Span>;
  /** Longest delay until a batch list shows a new payment. */
  batchLagMs: number;
  tokenLifeMs: number;
  tokenUsedAt: 'arrival' | 'commit';
  declineUsesToken: boolean;
  readerMs: Span;
  /** Weights for the random act at a reader. */
  readerActs: Record<ReaderAct, number>;
  /** Time until an unattended reader gives up. */
  readerWaitsMs: number;
  /** Status of the response when a reader gives up (G17). */
  readerGivesUpAs: 402 | 500;
  terminalAnswer: 'guaranteed' | 'full';
  /** Member of the response that contains a bank debit (G23). */
  debitMember: 'transaction' | 'ach-transaction';
  webhookMs: Span;
  /** The provider's automatic close, hour and minute in UTC; null if the terminal has none. */
  nightClose: [number, number] | null;
  /** Time that a batch stays PENDING while it is being closed. */
  closingMs: Span;
  refundInOpenBatch: boolean;
  /** True if a reversal in the provider's own pages is filed under the invoice of its charge. */
  byHandKeepsInvoice: boolean;
  /** Code of the 402 for a void whose batch is no longer open (G21). */
  voidTooLateCode: string;
  /** True if a void is listed as a separate transaction, besides the flag on the voided one. */
  voidsAreListed: boolean;
  /** Additional time that a late sale takes. */
  lateMs: Span;
  achSettlingMs: Span;
  achSettledMs: Span;
  /** From acceptance to the return of a debit. */
  achReturnMs: Span;
  achReturnAfterSettledMs: Span;
  /** Shares from 0 to 1 of debits that are returned before and after settlement. */
  achReturned: { before: number; after: number };
  /** Format of flags in listed transactions (G9); a look-up by id uses words. */
  flags: 'json' | 'text';
  /** Share of calls, from 0 to 1, that have a random fault. */
  faultShare: number;
};

export const defaultKnobs = (): Knobs => ({
  dedupe: 'commit',
  dedupeCompares: { amount: true, card: false },
  dedupeCounts: { voided: true, refunded: true, returned: true },
  dedupeRefunds: false,
  dedupeLagMs: 0,
  dedupeAnswer: 'original',
  processMs: [300, 3 * SECOND],
  lagMs: { id: [0, 0], order: [0, 0], invoice: [0, 0], time: [0, 0] },
  batchLagMs: 0,
  tokenLifeMs: 15 * MINUTE,
  tokenUsedAt: 'arrival',
  declineUsesToken: true,
  readerMs: [5 * SECOND, 40 * SECOND],
  readerActs: { tap: 8, decline: 1, cancel: 1, none: 1 },
  readerWaitsMs: 150 * SECOND,
  readerGivesUpAs: 500,
  terminalAnswer: 'full',
  debitMember: 'transaction',
  webhookMs: [100, 20 * SECOND],
  nightClose: [3, 0],
  closingMs: [0, 0],
  refundInOpenBatch: true,
  byHandKeepsInvoice: false,
  voidsAreListed: false,
  voidTooLateCode: '013',
  lateMs: [60_000, 20 * 60_000],
  achSettlingMs: [6 * HOUR, DAY],
  achSettledMs: [2 * DAY, 4 * DAY],
  achReturnMs: [DAY, 2 * DAY],
  achReturnAfterSettledMs: [5 * DAY, 60 * DAY],
  achReturned: { before: 0, after: 0 },
  flags: 'json',
  faultShare: 0,
});
