import * as z from 'zod/mini';
import { Part } from './installments.ts';
import { PaidTransaction } from './payment-answers.ts';

/** The state of a sale on a card reader. */
export const SaleState = z.enum([
  /** Sent; the card reader waits for a card or is processing. */
  'waiting',
  'approved',
  'declined',
  /** Reported by the card reader: cancelled, or no card presented in time. */
  'cancelled',
  'timed-out',
  /** Nothing was attempted: the card reader was unreachable or busy, or the provider refused. */
  'offline',
  'busy',
  'refused',
  /** It may have been charged; the provider is being queried. */
  'unknown',
  /** The provider has no record of it, and none can appear any more. */
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
  /** Email address of the user who started it; `is_own` is true if that is the caller. */
  started_by: z.string(),
  is_own: z.boolean(),
  /** ISO times: sent, latest automatic end, actual end, last query of the provider. */
  started_at: z.string(),
  ends_by: z.string(),
  ended_at: z.nullable(z.string()),
  asked_at: z.nullable(z.string()),
  /** The provider's message after a refusal or decline. */
  message: z.string(),
  /** Last known response of the card reader. */
  last_heard: z.nullable(z.string()),
  transaction: z.nullable(PaidTransaction),
  receipt_url: z.nullable(z.string()),
  /** Recipient of the receipt once paid; '' if none. */
  receipt_to: z.string(),
  /** Name of the provider to contact about an unknown outcome. */
  provider: z.string(),
});
export type TerminalSale = z.infer<typeof TerminalSale>;

/**
 * GET /api/sales/{saleId}, and POST /api/terminals/{terminalId}/sales: 202 with the started sale. For a client that
 * accepts application/x-ndjson the POST returns 200 and stays open until the card reader is done: this object as the
 * first line, an empty line every 15 seconds, and this object with the outcome as the last line. Refusals are plain
 * JSON with their own status. If the last line is missing, query GET /api/sales/{saleId}.
 */
export const SaleReply = z.object({ sale: TerminalSale });
export type SaleReply = z.infer<typeof SaleReply>;

export const CounterTerminal = z.object({
  terminal_id: z.string(),
  terminal_name: z.string(),
  last_heard: z.nullable(z.string()),
  /** The newest sale on this card reader. */
  sale: z.nullable(TerminalSale),
  /** True while that sale may still take a card, so that no other can start. */
  is_busy: z.boolean(),
});
export type CounterTerminal = z.infer<typeof CounterTerminal>;
/** GET /api/counter-terminals: the card readers on the counter, and whether payers can pay by link meanwhile. */
export const TerminalsReply = z.object({
  desks: z.array(CounterTerminal),
  /**
   * The reason why payers cannot pay by link now; omitted if they can. `catching-up`: after a restore, until the
   * gateway's transactions are read. `closing`: the account is to be closed on `closes_on` (YYYY-MM-DD), and card
   * readers take no new payments either.
   */
  online_off: z.optional(z.enum(['paused', 'catching-up', 'closing'])),
  closes_on: z.optional(z.string()),
});
export type TerminalsReply = z.infer<typeof TerminalsReply>;

/** Added to the error for a busy card reader, or for an invoice that is already at one. */
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
  /** Generated once per click of the button; the same id is the same sale. */
  attemptId: z.optional(z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'The attempt key is not valid.' }))),
  /** The amount that the screen showed ("184.00"); if the CRM's amount differs, the sale is not sent. */
  amountShown: z.optional(z.string().check(z.maxLength(20))),
  part: z.optional(Part),
});

export type StartSaleBody = z.output<typeof StartSaleBody>;
