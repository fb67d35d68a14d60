import * as z from 'zod/mini';
import { payerLanguages } from '../staff/account-settings.ts';

/** A card that a customer keeps at the business. Only the card provider has its number. */
export const StoredCard = z.object({
  id: z.string(),
  /** The card provider's name of the brand, such as "VISA"; empty if unknown. */
  brand: z.string(),
  last4: z.string(),
  /** The month (YYYY-MM) after which the card is no longer valid; empty if unknown. */
  expiresOn: z.string(),
  /** The sentences that the payer ticked, in the payer's language, and the time (ISO 8601 UTC). */
  consent: z.object({ words: z.string(), language: z.enum(payerLanguages), givenAt: z.string() }),
  /** True if the business may charge it. Otherwise `reason` is present. */
  usable: z.boolean(),
  reason: z.optional(z.literal('expired')),
});
export type StoredCard = z.infer<typeof StoredCard>;

/** GET /api/stored-cards: the cards of one customer, newest first; removed cards are not listed. */
export const StoredCardsQuery = z.object({ contactId: z.string().check(z.regex(/^\d{1,20}$/)) });
export const StoredCardsReply = z.object({ cards: z.array(StoredCard) });
export type StoredCardsReply = z.infer<typeof StoredCardsReply>;

/** DELETE /api/stored-cards/{id}; a repeated call has the same reply. */
export const StoredCardEnded = z.object({ ended: z.literal(true) });
export type StoredCardEnded = z.infer<typeof StoredCardEnded>;

/** Body of POST /api/stored-cards/{id}/charges. */
export const StoredCardChargeBody = z.strictObject({
  /** The CRM's id of the invoice. */
  invoiceId: z.string().check(z.regex(/^\d{1,20}$/, { error: 'Please choose an invoice.' })),
  /**
   * The amount to charge, in cents: the amount due, or a permitted installment of an invoice that is paid in
   * installments. If the amount due has changed, nothing is charged.
   */
  amountCents: z.number({ error: 'Please enter an amount.' }).check(z.int(), z.gte(1)),
  /**
   * Generated once per press of the button. A repeated call with the same key charges nothing more and returns the same
   * charge; after a refusal, the next press needs another key.
   */
  key: z.string().check(z.regex(/^[\w-]{8,64}$/, { error: 'The key is not valid.' })),
});
export type StoredCardChargeBody = z.output<typeof StoredCardChargeBody>;

/**
 * Reply of POST /api/stored-cards/{id}/charges. `approved` and `declined` are final, and so is `not-charged`: the card
 * provider has no record of the charge, and none can appear any more. `unknown`: the card may have been charged, and the
 * provider is being queried; repeat the call with the same key to read the outcome. Refusals are errors: `card-removed`,
 * `card-expired`, `cards-on-file-off`, `amount-changed`, `already-paid`, `being-paid` and others; nothing was charged.
 */
export const StoredCardCharge = z.object({
  state: z.enum(['approved', 'declined', 'unknown', 'not-charged']),
  paymentId: z.string(),
  amountCents: z.number(),
  currency: z.string(),
  /** The reason for a decline, as a sentence; otherwise empty. */
  message: z.string(),
  /** Path of the receipt, and its recipient; null or '' unless approved. */
  receiptUrl: z.nullable(z.string()),
  receiptTo: z.string(),
});
export type StoredCardCharge = z.infer<typeof StoredCardCharge>;
