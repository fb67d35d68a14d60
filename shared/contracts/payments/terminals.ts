import * as z from 'zod/mini';
import { Part } from './parts.ts';
import { PaidTransaction } from './payment-answers.ts';

/** How far a sale on a card reader is. */
export const SaleState = z.enum([
  /** Sent, and the card reader waits for a card or works. */
  'waiting',
  'approved',
  'declined',
  /** By the card reader's own word: somebody cancelled, or nobody came in time. */
  'cancelled',
  'timed-out',
  /** Nothing was attempted: the card reader was not reached, had something else to do, or the provider refused. */
  'offline',
  'busy',
  'refused',
  /** It may have been charged; the provider is asked. */
  'unknown',
  /** The provider has no trace of it, and the time in which one could appear is over. */
  'not-charged',
  'needs-a-person',
  /** Later states of an approved sale. */
  'voided',
  'refunded',
]);
export type SaleState = z.infer<typeof SaleState>;

export const TerminalSale = z.object({
  id: z.string(),
  terminal_id: z.string(),
  terminal_name: z.string(),
  /** The CRM's id. */
  invoice_id: z.string(),
  invoice_number: z.string(),
  customer: z.string(),
  amount: z.string(),
  currency: z.string(),
  state: SaleState,
  /** Who started it, by e-mail address, and whether that is whoever asks. */
  started_by: z.string(),
  is_own: z.boolean(),
  /** ISO instants: when it was sent, by when it ends by itself, when it ended, when the provider was last asked. */
  started_at: z.string(),
  ends_by: z.string(),
  ended_at: z.nullable(z.string()),
  asked_at: z.nullable(z.string()),
  /** The provider's message after a refusal or decline. */
  message: z.string(),
  /** When the card reader was last known to answer. */
  last_heard: z.nullable(z.string()),
  transaction: z.nullable(PaidTransaction),
  receipt_url: z.nullable(z.string()),
  /** Where its receipt is mailed once it is paid; '' if nowhere. */
  receipt_to: z.string(),
  /** Who is asked about an outcome that is not known. */
  provider: z.string(),
});
export type TerminalSale = z.infer<typeof TerminalSale>;

/**
 * GET /api/sales/{saleId}, and POST /api/terminals/{terminalId}/sales: 202 with the sale as it was started. To a client that
 * accepts application/x-ndjson it says 200 and stays open until the card reader is done: this as its first line, an empty
 * line every 15 seconds, and this again as its last line, with the outcome. Refusals come before, as plain JSON with a
 * status of their own. Where the last line is missing, GET /api/sales/{saleId} knows.
 */
export const SaleReply = z.object({ sale: TerminalSale });
export type SaleReply = z.infer<typeof SaleReply>;

export const CounterTerminal = z.object({
  terminal_id: z.string(),
  terminal_name: z.string(),
  last_heard: z.nullable(z.string()),
  /** The newest sale on it. */
  sale: z.nullable(TerminalSale),
});
export type CounterTerminal = z.infer<typeof CounterTerminal>;
/** GET /api/counter-terminals: the card readers on the counter. */
export const TerminalsReply = z.object({ desks: z.array(CounterTerminal) });
export type TerminalsReply = z.infer<typeof TerminalsReply>;

/** Added to the error of a card reader that is busy, or of an invoice that is at one. */
export const BusyReply = z.object({
  busy: z.object({
    terminal_id: z.string(),
    terminal_name: z.string(),
    sale_id: z.string(),
    started_by: z.string(),
    started_at: z.string(),
    invoice_number: z.string(),
    amount: z.string(),
    currency: z.string(),
  }),
});
export type BusyReply = z.infer<typeof BusyReply>;

/** Body of POST /api/terminals/{terminalId}/sales. */
export const StartSaleBody = z.object({
  /** The CRM's id of the invoice, or one of its pay ids. */
  invoiceId: z
    .string({ error: 'Please choose an invoice.' })
    .check(z.regex(/^[\w-]{1,64}$/, { error: 'Please choose an invoice.' })),
  /** Made by the screen once per press of the button; the same id is the same sale. */
  attemptId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'The attempt key is not valid.' }))),
  /** The amount that the screen showed ("184.00"); if the CRM's differs by now, the sale is not sent. */
  amountShown: z.optional(z.string().check(z.maxLength(20))),
  part: z.optional(Part),
});

export type StartSaleBody = z.output<typeof StartSaleBody>;
