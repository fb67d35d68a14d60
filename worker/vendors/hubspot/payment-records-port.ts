/** A CRM payment record of an invoice. It documents a payment made elsewhere and moves no money. */
export type CrmPaymentRecord = {
  id: string;
  /** Empty if the record has none. */
  reference: string;
  /** Null if unreadable. */
  givenBackCents: number | null;
};

export type NewPaymentRecord = {
  invoiceId: string;
  /** Empty if no contact is linked. */
  contactId: string;
  amountCents: number;
  givenBackCents: number;
  currency: string;
  /** UTC ms. */
  paidAt: number;
  method: 'card' | 'ach';
  lastFour: string;
  /** The gateway's transaction id, to find the record again. */
  reference: string;
  email: string;
  comment: string;
};

/** The result of a write. */
export type CrmWriteResult =
  | { kind: 'written'; id: string }
  /** The grant lacks the scope. Nothing was written. */
  | { kind: 'not-allowed' }
  /** Nothing was written. `said`: the CRM's message. */
  | { kind: 'refused'; said: string }
  /** Nothing was written yet. `waitMs`: null if the CRM gives no delay. */
  | { kind: 'later'; waitMs: number | null }
  /** There was no readable response, so the record may have been written. */
  | { kind: 'unanswered' };

/** The current balance of an invoice in the CRM. */
export type CrmBalance = { isPaid: boolean; balanceCents: number | null; billedCents: number | null };

/** Payment records of an account. Each read is one call without a retry. All methods throw CrmError. */
export type CrmPaymentRecords = {
  /** Lists the records of an invoice. Associations of a new record may lag behind. */
  listRecords(accessToken: string, invoiceId: string): Promise<CrmPaymentRecord[]>;
  readBalance(accessToken: string, invoiceId: string): Promise<CrmBalance | null>;
  createRecord(accessToken: string, record: NewPaymentRecord): Promise<CrmWriteResult>;
  /** Records the total refunded amount. */
  changeRecord(
    accessToken: string,
    id: string,
    change: Pick<NewPaymentRecord, 'amountCents' | 'givenBackCents' | 'comment'>,
  ): Promise<CrmWriteResult>;
};
