import type { PaidTransaction } from './payment.ts';

/** How far a sale on a card reader is. */
export type SaleState =
  /** Sent, and the card reader waits for a card or works. */
  | 'waiting'
  | 'approved'
  | 'declined'
  /** By the card reader's own word: somebody cancelled, or nobody came in time. */
  | 'cancelled'
  | 'timed-out'
  /** Nothing was attempted: the card reader was not reached, had something else to do, or the provider refused. */
  | 'offline'
  | 'busy'
  | 'refused'
  /** It may have been charged; the provider is asked. */
  | 'unknown'
  /** The provider has no trace of it, and the time in which one could appear is over. */
  | 'not-charged'
  | 'needs-a-person'
  /** What became of an approved one. */
  | 'voided'
  | 'refunded';

export type TerminalSale = {
  id: string;
  terminal_id: string;
  terminal_name: string;
  /** The CRM's id. */
  invoice_id: string;
  invoice_number: string;
  customer: string;
  amount: string;
  currency: string;
  state: SaleState;
  /** Who started it, by e-mail address, and whether that is whoever asks. */
  started_by: string;
  is_own: boolean;
  /** ISO instants: when it was sent, by when it ends by itself, when it ended, when the provider was last asked. */
  started_at: string;
  ends_by: string;
  ended_at: string | null;
  asked_at: string | null;
  /** What the provider said, where it refused or declined. */
  message: string;
  /** When the card reader was last known to answer. */
  last_heard: string | null;
  transaction: PaidTransaction | null;
  receipt_url: string | null;
  /** Who is asked about an outcome that is not known. */
  provider: string;
};

/** POST /api/terminals/{terminalId}/sales, and GET /api/sales/{saleId}. */
export type SaleReply = { sale: TerminalSale };

export type CounterTerminal = {
  terminal_id: string;
  terminal_name: string;
  last_heard: string | null;
  /** The newest sale on it. */
  sale: TerminalSale | null;
};
/** GET /api/counter-terminals: the card readers on the counter. */
export type TerminalsReply = { desks: CounterTerminal[] };

/** Beside the error of a card reader that is busy, or an invoice that is at one. */
export type BusyReply = {
  busy: {
    terminal_id: string;
    terminal_name: string;
    sale_id: string;
    started_by: string;
    started_at: string;
    invoice_number: string;
    amount: string;
    currency: string;
  };
};
