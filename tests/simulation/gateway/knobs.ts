/** Ways to look a transaction up. Each is an index of its own, and each may lag by itself. */
export const INDEXES = ['id', 'order', 'invoice', 'time'] as const;
export type Index = (typeof INDEXES)[number];

export type ReaderAct = 'tap' | 'decline' | 'cancel' | 'none';

/** From and to, in ms; each case draws its own value by the seed. */
export type Span = [number, number];

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** All that the contract leaves open, so that a run can take any of its readings. */
export type Knobs = {
  /** When a call is held against earlier ones (G13): never, when it arrives, or when it is recorded. */
  dedupe: 'none' | 'arrival' | 'commit';
  /** What must be equal besides the invoice value (G12). */
  dedupeCompares: { amount: boolean; card: boolean };
  /** Which charges that were taken back still count as paid (G13). */
  dedupeCounts: { voided: boolean; refunded: boolean; returned: boolean };
  /** Whether refunds are held against earlier refunds in the same way (G20). */
  dedupeRefunds: boolean;
  /** How long an earlier charge stays unseen by the comparison, ms. */
  dedupeLagMs: number;
  dedupeAnswer: 'original' | 'error';
  /** From the arrival of a call to its effect. */
  processMs: Span;
  lagMs: Record<Index, Span>;
  /** How long a batch list may stand still before it shows a new payment. */
  batchLagMs: number;
  tokenLifeMs: number;
  tokenUsedAt: 'arrival' | 'commit';
  declineUsesToken: boolean;
  readerMs: Span;
  /** Weights by which chance chooses what happens at a reader. */
  readerActs: Record<ReaderAct, number>;
  /** When a reader that is not attended gives up. */
  readerWaitsMs: number;
  /** How the end of its patience is answered (G17). */
  readerGivesUpAs: 402 | 500;
  terminalAnswer: 'guaranteed' | 'full';
  /** The member of an answer that holds a bank debit (G23). */
  debitMember: 'transaction' | 'ach-transaction';
  webhookMs: Span;
  /** The provider's own close, hour and minute in UTC; null where the terminal has none. */
  nightClose: [number, number] | null;
  /** How long a batch that is being closed stays PENDING. */
  closingMs: Span;
  refundInOpenBatch: boolean;
  /** Whether a reversal made in the provider's own pages is filed under the invoice of its charge. */
  byHandKeepsInvoice: boolean;
  /** The code with 402 of a void whose batch is no longer open (G21). */
  voidTooLateCode: string;
  /** Whether a void is listed as a transaction of its own, beside the flag on what it takes back. */
  voidsAreListed: boolean;
  /** How much longer a late sale takes. */
  lateMs: Span;
  achSettlingMs: Span;
  achSettledMs: Span;
  /** From acceptance to the return of a debit that comes back. */
  achReturnMs: Span;
  achReturnAfterSettledMs: Span;
  /** Shares from 0 to 1 of debits that come back before and after they were settled. */
  achReturned: { before: number; after: number };
  /** How flags of listed transactions are written (G9); one that is looked up by its id has words. */
  flags: 'json' | 'text';
  /** Share of calls, from 0 to 1, that meet a fault though none was asked for. */
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
