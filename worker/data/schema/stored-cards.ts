import { languages } from '#shared/words/language';
import { capability, column, DAY, deleteAfter, personal, plain, table } from './table.ts';

/** Reasons for the end of a stored card. */
export const cardEndings = [
  'removed_by_payer',
  'removed_by_staff',
  'expired',
  'deleted_at_provider',
  /** The same customer kept the same card again. */
  'replaced',
  /** The data of the customer or of the account were erased, or the CRM deleted the customer. */
  'erased',
] as const;
export type CardEnding = (typeof cardEndings)[number];

const providerToken = column({ notExported: 'the card provider’s token, sealed; it charges the card' });

export const storedCards = table(
  'stored_cards',
  {
    row: 'one card that a customer keeps at the business, as the card provider’s token',
    lifetime: {
      rules: [deleteAfter('ended_at', 540 * DAY, 'stored_cards_ended', 'ended_at IS NOT NULL')],
      why:
        'a card is kept until its payer, staff or the card provider end it; after that, the consent documents ' +
        'earlier charges as long as they can be disputed; its token is deleted as soon as the provider has deleted it',
    },
    key: ['id'],
    copies: 'export and dump',
  },
  {
    /** The id of the payment with which the payer kept the card. */
    id: plain.text('id').primaryKey(),
    accountId: plain.integer('account_id').notNull(),
    contactId: plain.text('contact_id').notNull(),
    terminalId: plain.text('terminal_id').notNull(),
    /** Sealed; empty until the provider has reported it, and once it has deleted it. */
    token: providerToken.text('token').notNull().default(''),
    brand: plain.text('brand').notNull().default(''),
    lastFour: personal.text('last_four').notNull().default(''),
    /** The last month (YYYY-MM) in which the card is valid; empty if the provider does not report it. */
    expiresOn: plain.text('expires_on').notNull().default(''),
    consentWords: plain.text('consent_words').notNull(),
    consentLanguage: plain.text('consent_language', { enum: languages }).notNull(),
    consentAt: plain.integer('consent_at').notNull(),
    /** The recipient of emails about the card, as of the consent. */
    email: personal.text('email').notNull().default(''),
    removeKey: capability.text('remove_key').notNull(),
    /** The time at which the payer was told that the card expires. */
    expiryMailedAt: plain.integer('expiry_mailed_at'),
    endedAt: plain.integer('ended_at'),
    endedReason: plain.text('ended_reason', { enum: cardEndings }),
    /** The time of the schedule's next step; null if none is due. */
    nextAt: plain.integer('next_at'),
  },
);
export type StoredCard = typeof storedCards.$inferSelect;
