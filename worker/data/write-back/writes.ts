import { and, eq } from 'drizzle-orm';
import { type CrmWrite, crmWrites } from '#worker/data/schema/write-back';
import type { Db } from '../db.ts';

const t = crmWrites;

/** What the CRM would be told of a payment, as the ledger has it now. */
export type PaymentFacts = {
  amountCents: number;
  givenBackCents: number;
  currency: string;
  paidAt: number;
  method: 'card' | 'ach';
  lastFour: string;
  reference: string;
  email: string;
  /** Of the copy; empty: no contact. */
  contactId: string;
  /** How it went back, where it did. */
  lastKind: 'refund' | 'void' | 'return' | null;
  /** The state of the payment's own row, and the CRM's id of its record. */
  payment: { state: CrmWrite['state']; objectId: string } | null;
};

const COLUMNS = `id, account_id AS accountId, invoice_id AS invoiceId, attempt_id AS attemptId, kind, amount_cents AS amountCents,
  state, object_id AS objectId, tries, looks, balance_cents AS balanceCents, sent_at AS sentAt, next_try_at AS nextTryAt,
  said, effect, note, decided_by AS decidedBy, created_at AS createdAt, done_at AS doneAt`;

/** What of an account is due, the longest due first. */
export async function listDueWrites(
  { $client }: Db,
  accountId: number,
  now: number,
  limit: number,
): Promise<CrmWrite[]> {
  const { results } = await $client
    .prepare(
      `SELECT ${COLUMNS} FROM crm_writes INDEXED BY crm_writes_due
        WHERE account_id = ?1 AND next_try_at <= ?2 ORDER BY next_try_at, created_at LIMIT ?3`,
    )
    .bind(accountId, now, limit)
    .all<CrmWrite>();
  return results;
}

export async function findPaymentFacts({ $client }: Db, { attemptId }: CrmWrite): Promise<PaymentFacts | null> {
  const row = await $client
    .prepare(
      `SELECT p.amount_cents AS amountCents, p.currency, p.at AS paidAt, p.method, a.card_last_four AS lastFour,
          p.provider_txn_id AS reference, a.receipt_to AS email, coalesce(i.contact_id, '') AS contactId,
          -- A bank may return what was refunded before; of a record no more goes back than it has.
          min(p.amount_cents, coalesce((SELECT -sum(b.amount_cents) FROM ledger b
            WHERE b.attempt_id = a.id AND b.kind <> 'payment'), 0)) AS givenBackCents,
          (SELECT b.kind FROM ledger b WHERE b.attempt_id = a.id AND b.kind <> 'payment' ORDER BY b.at DESC LIMIT 1) AS lastKind,
          w.state, w.object_id AS objectId
        FROM payment_attempts a JOIN ledger p ON p.attempt_id = a.id AND p.kind = 'payment'
        LEFT JOIN invoices i ON i.account_id = a.account_id AND i.invoice_id = a.invoice_id
        LEFT JOIN crm_writes w ON w.id = 'pay-' || a.id
        WHERE a.id = ?1`,
    )
    .bind(attemptId)
    .first<Omit<PaymentFacts, 'payment'> & { state: CrmWrite['state'] | null; objectId: string }>();
  if (!row) return null;
  const { state, objectId, ...facts } = row;
  return { ...facts, payment: state === null ? null : { state, objectId } };
}

/**
 * Claim a payment's row right before its record is asked for, so that whatever ends this run leaves it as sent. False:
 * another call is under way that could be taken for this one, at the same invoice, or, while nobody knows what a record
 * does to a balance, at the account.
 */
export async function claimWrite(
  { $client }: Db,
  { id, accountId, invoiceId, state, tries }: CrmWrite,
  {
    balanceCents,
    oneAtATime,
    now,
    nextTryAt,
  }: { balanceCents: number; oneAtATime: boolean; now: number; nextTryAt: number },
): Promise<boolean> {
  const { results } = await $client
    .prepare(
      `UPDATE crm_writes SET state = 'sent', tries = tries + 1, looks = 0, balance_cents = ?5, sent_at = ?6, next_try_at = ?7
        WHERE id = ?1 AND state = ?9 AND tries = ?4
          AND NOT EXISTS (SELECT 1 FROM crm_writes o INDEXED BY crm_writes_sent
            WHERE o.account_id = ?2 AND o.state = 'sent' AND o.id <> ?1
              AND (o.invoice_id = ?3 OR (?8 = 1 AND o.looks < 2))) RETURNING id`,
    )
    .bind(id, accountId, invoiceId, tries, balanceCents, now, nextTryAt, oneAtATime ? 1 : 0, state)
    .all();
  return results.length === 1;
}

/** Move a row on, unless a person or another run was faster. */
export async function moveWrite(
  db: Db,
  { id, state, tries }: Pick<CrmWrite, 'id' | 'state' | 'tries'>,
  change: Partial<Omit<CrmWrite, 'id'>>,
): Promise<void> {
  await db
    .update(t)
    .set(change)
    .where(and(eq(t.id, id), eq(t.state, state), eq(t.tries, tries)));
}
