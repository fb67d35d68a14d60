import type { VendorModel } from '../vendor.ts';
import type { Faults } from './faults.ts';
import type { Index, Knobs, ReaderAct } from './knobs.ts';

export { INDEXES, type Index, type ReaderAct } from './knobs.ts';

/** When a transaction's newest change is to be found, by index; UTC ms. */
export type VisibleAt = Record<Index, number>;

export type Terminal = {
  terminalId: string;
  name: string;
  apiKey: string;
  publicKey: string;
  /** RETAIL is a card reader on a counter. */
  commerceType: 'ECOMMERCE' | 'RETAIL';
};

export type Merchant = { merchantId: string; name: string; webhookUrl: string | null; terminals: Terminal[] };

/** What stands at the gateway before the first call. No path of `baseUrl` is kept. */
export type GatewaySetUp = { baseUrl: string; merchants: Merchant[] };

/** Of cards: approved, declined, voided. Of bank debits: declined, pending, settling, settled, returned. */
export type ChargeState = 'approved' | 'declined' | 'voided' | 'pending' | 'settling' | 'settled' | 'returned';

/** Money that was asked for: a sale online, one on a card reader, a bank debit. Refused calls leave none. */
export type Charge = {
  id: string;
  method: 'card' | 'terminal' | 'ach';
  state: ChargeState;
  merchantId: string;
  terminalId: string;
  orderId: string | null;
  invoice: string | null;
  /** What the call asked for, in cents. */
  askedCents: number;
  /** What was charged, in cents. A fault may make it differ from what was asked for. */
  amountCents: number;
  /** Sum of the refunds that stand, in cents. */
  refundedCents: number;
  batchId: string | null;
  /** UTC ms: when it was recorded. */
  at: number;
  /** UTC ms; of cards: when its batch was closed. */
  settledAt: number | null;
  returnedAt: number | null;
  returnCode: string | null;
  resultCode: string;
  visibleAt: VisibleAt;
  /** Of a bank debit that ended otherwise than the documents say, or stays in a state that no document names. */
  oddEnd: 'cancelled' | 'vanished' | 'on hold' | null;
  /** The charge that one and the same call made first, where the gateway by its own fault charged twice. */
  copyOf: string | null;
};

export type Author = 'product' | 'person' | 'night';

export type Reversal = {
  id: string;
  kind: 'void' | 'refund';
  /** The charge, or of a void also the refund, that it takes back. */
  ofId: string;
  /** A declined reversal moved nothing; a refund may itself be voided. */
  state: 'approved' | 'declined' | 'voided';
  by: Author;
  amountCents: number;
  terminalId: string;
  orderId: string | null;
  invoice: string | null;
  batchId: string | null;
  at: number;
  visibleAt: VisibleAt;
};

export type BatchStatus = 'OPEN' | 'PENDING' | 'CLOSED' | 'FAILED';

export type Batch = {
  id: string;
  merchantId: string;
  terminalId: string;
  status: BatchStatus;
  openedAt: number;
  closedAt: number | null;
  closedBy: Author | null;
  salesCount: number;
  salesCents: number;
  refundCount: number;
  refundCents: number;
  confirmationCode: string | null;
};

/** One try to close a batch, whoever made it. */
export type Close = {
  at: number;
  terminalId: string;
  batchId: string | null;
  by: Author;
  outcome: 'closed' | 'pending' | 'nothing-open' | 'failed';
};

/** A call that arrived and whose effect is still to come. */
export type InFlight = {
  call: 'sale' | 'terminal-sale' | 'ach-sale' | 'void' | 'refund' | 'close';
  terminalId: string;
  orderId: string | null;
  invoice: string | null;
  amountCents: number | null;
  arrivedAt: number;
  /** UTC ms. */
  commitsAt: number;
};

/** A call that charged nothing and was answered with an earlier charge. */
export type Replay = { at: number; orderId: string | null; invoice: string | null; chargeId: string };

/** All that the gateway really holds, as copies: a reader cannot change it. Oldest first. */
export type Truth = {
  charges: Charge[];
  reversals: Reversal[];
  batches: Batch[];
  closes: Close[];
  inFlight: InFlight[];
  replays: Replay[];
};

export type TokenCard = 'approves' | 'declines' | 'fails' | 'ach';

export type GatewayModel = VendorModel & {
  /** May be changed at any time; a call goes by what holds when it arrives, its commit by what holds then. */
  knobs: Knobs;
  faults: Faults;
  truth(): Truth;
  /** A single-use token as the card fields of the pay page hand it out. `ach` is one of a bank account. */
  issueToken(terminalId: string, card?: TokenCard): string;
  /** What the next sale on this reader meets, `afterMs` (ms) after it arrived; without this chance decides. */
  atReader(terminalId: string, act: ReaderAct, afterMs?: number): void;
  setReader(terminalId: string, state: 'online' | 'offline'): void;
  /** The provider ends a terminal: nothing that has its key is served any more. */
  closeTerminal(terminalId: string): void;
  /** The merchant of that terminal has one more. */
  addTerminal(beside: string, terminal: Terminal): void;
  /** Acts of a person in the provider's own pages. They answer whether the gateway took them. */
  byHand: {
    void(id: string): boolean;
    refund(id: string, amountCents: number): boolean;
    closeBatch(terminalId: string): boolean;
    /** A sale that the product never asked for; answers its id. */
    sale(terminalId: string, amountCents: number, invoice?: string): string;
    /** A bank debit comes back, at any age, as the payer's bank decides. */
    returnDebit(id: string, code?: string): boolean;
  };
};

/** What a charge holds of the payer's money, in cents. */
export function heldCents(charge: Charge): number {
  const isGone = charge.state === 'declined' || charge.state === 'voided' || charge.state === 'returned';
  return isGone ? 0 : charge.amountCents - charge.refundedCents;
}
