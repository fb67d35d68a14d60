import type { VendorModel } from '../vendor.ts';
import type { Faults } from './faults.ts';
import type { Index, Knobs, ReaderAct } from './knobs.ts';

export { INDEXES, type Index, type ReaderAct } from './knobs.ts';

/** When each index shows a transaction's newest change (UTC ms). */
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

/** The gateway's setup before the first call. The path of `baseUrl` is ignored. */
export type GatewaySetUp = { baseUrl: string; merchants: Merchant[] };

/** Cards: approved, declined, voided. Bank debits: declined, pending, settling, settled, returned. */
export type ChargeState = 'approved' | 'declined' | 'voided' | 'pending' | 'settling' | 'settled' | 'returned';

/** A requested charge: a sale online, a sale on a card reader, or a bank debit. Refused calls create none. */
export type Charge = {
  id: string;
  method: 'card' | 'terminal' | 'ach';
  state: ChargeState;
  merchantId: string;
  terminalId: string;
  orderId: string | null;
  invoice: string | null;
  /** Requested amount in cents. */
  requestedCents: number;
  /** Charged amount in cents. A fault may make it differ from the requested amount. */
  amountCents: number;
  /** Sum of the refunds in effect, in cents. */
  refundedCents: number;
  batchId: string | null;
  /** When it was recorded (UTC ms). */
  at: number;
  /** UTC ms; for cards, when the batch was closed. */
  settledAt: number | null;
  returnedAt: number | null;
  returnCode: string | null;
  resultCode: string;
  visibleAt: VisibleAt;
  /** Bank debits: an undocumented end, or an undocumented permanent state. */
  unusualEnd: 'cancelled' | 'vanished' | 'on hold' | null;
  /** The first charge of the same call, if a gateway fault charged twice. */
  copyOf: string | null;
};

export type Author = 'product' | 'person' | 'night';

export type Reversal = {
  id: string;
  kind: 'void' | 'refund';
  /** The charge that it reverses; for a void it may be a refund. */
  ofId: string;
  /** A declined reversal moved no money; a refund may itself be voided. */
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

/** One attempt to close a batch, by any author. */
export type Close = {
  at: number;
  terminalId: string;
  batchId: string | null;
  by: Author;
  outcome: 'closed' | 'pending' | 'nothing-open' | 'failed';
};

/** A call that has arrived but has not taken effect. */
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

/** A call that charged nothing and returned an earlier charge. */
export type Replay = { at: number; orderId: string | null; invoice: string | null; chargeId: string };

/** The gateway's actual records as copies, so that callers cannot change them. Oldest first. */
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
  /** May change at any time; a call uses the values at its arrival, its commit those at commit time. */
  knobs: Knobs;
  faults: Faults;
  truth(): Truth;
  /** A single-use token as the pay page's card fields issue it; `ach` is for a bank account. */
  issueToken(terminalId: string, card?: TokenCard): string;
  /** Plans the act for the next sale on this reader, `afterMs` (ms) after its arrival; otherwise it is random. */
  atReader(terminalId: string, act: ReaderAct, afterMs?: number): void;
  setReader(terminalId: string, state: 'online' | 'offline'): void;
  /** The provider closes a terminal: requests with its keys are no longer accepted. */
  closeTerminal(terminalId: string): void;
  /** Adds a terminal to the merchant of that terminal. */
  addTerminal(beside: string, terminal: Terminal): void;
  /** Acts of a person in the provider's own pages. They return false if the gateway refused. */
  byHand: {
    void(id: string): boolean;
    refund(id: string, amountCents: number): boolean;
    closeBatch(terminalId: string): boolean;
    /** A sale that the product did not request; returns its id. */
    sale(terminalId: string, amountCents: number, invoice?: string): string;
    /** The payer's bank returns a bank debit, at any age. */
    returnDebit(id: string, code?: string): boolean;
  };
};

/** Amount in cents of a charge that is neither reversed nor refunded. */
export function heldCents(charge: Charge): number {
  const isGone = charge.state === 'declined' || charge.state === 'voided' || charge.state === 'returned';
  return isGone ? 0 : charge.amountCents - charge.refundedCents;
}
