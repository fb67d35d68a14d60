/** A payment as the CRM keeps it beside an invoice; it tells of money that was taken elsewhere and moves none. */
export type CrmPaymentRecord = {
  id: string;
  /** Empty where the record has none. */
  reference: string;
  /** Null: it cannot be read. */
  givenBackCents: number | null;
};

export type NewPaymentRecord = {
  invoiceId: string;
  /** Empty: no contact is linked. */
  contactId: string;
  amountCents: number;
  givenBackCents: number;
  currency: string;
  /** UTC ms. */
  paidAt: number;
  method: 'card' | 'ach';
  lastFour: string;
  /** By which we find it again: the gateway's id of the transaction. */
  reference: string;
  email: string;
  comment: string;
};

/** What became of a call that changes something. */
export type CrmWriteAnswer =
  | { kind: 'written'; id: string }
  /** The grant lacks the scope. Nothing was written. */
  | { kind: 'not-allowed' }
  /** In the CRM's words. Nothing was written. */
  | { kind: 'refused'; said: string }
  /** Nothing was written now; `waitMs` null: the CRM does not say how long. */
  | { kind: 'later'; waitMs: number | null }
  /** No answer that can be read: perhaps written. */
  | { kind: 'unanswered' };

/** What is owed of an invoice, as the CRM says it now. */
export type CrmBalance = { isPaid: boolean; balanceCents: number | null; billedCents: number | null };

/** Payment records of an account. Reads are one call each, without a retry, and all throw CrmError. */
export type CrmPaymentRecords = {
  /** Those of an invoice. The links of a new record may lag behind. */
  listRecords(accessToken: string, invoiceId: string): Promise<CrmPaymentRecord[]>;
  readBalance(accessToken: string, invoiceId: string): Promise<CrmBalance | null>;
  createRecord(accessToken: string, record: NewPaymentRecord): Promise<CrmWriteAnswer>;
  /** Say how much of it was given back in all. */
  changeRecord(
    accessToken: string,
    id: string,
    change: Pick<NewPaymentRecord, 'amountCents' | 'givenBackCents' | 'comment'>,
  ): Promise<CrmWriteAnswer>;
};
