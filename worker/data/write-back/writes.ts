import { and, eq } from 'drizzle-orm';
import { type CrmWrite, type CrmWriteSettings, crmWriteSettings, crmWrites } from '#worker/data/schema/crm';
import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

const writeTable = crmWrites;

/** The facts about a payment for its record in the CRM, from the current ledger. */
export type PaymentFacts = {
  amountCents: number;
  givenBackCents: number;
  currency: string;
  paidAt: number;
  method: 'card' | 'ach';
  lastFour: string;
  reference: string;
  email: string;
  /** From our copy; empty if there is no contact. */
  contactId: string;
  /** The kind of the last refund, if any. */
  lastKind: 'refund' | 'void' | 'return' | null;
  /** The state of the payment's own record, and its id in the CRM. */
  payment: { state: CrmWrite['state']; objectId: string } | null;
};

const COLUMNS = `id, account_id AS accountId, invoice_id AS invoiceId, attempt_id AS attemptId, kind, amount_cents AS amountCents,
  state, object_id AS objectId, tries, looks, balance_cents AS balanceCents, sent_at AS sentAt, next_try_at AS nextTryAt,
  said, effect, note, decided_by AS decidedBy, created_at AS createdAt, done_at AS doneAt`;

/** Due records of an account, longest due first. */
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
          -- A bank may return a debit that was refunded before, so the sum is limited to the amount of the record.
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
 * Claim a record right before the request, so that its state is `sent` no matter how this run ends. False if another
 * request is under way that could be confused with this one, at the same invoice or, while a record's effect on
 * balances is unknown, at the same account.
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

/** Update a record, unless a person or another run was faster. */
export async function updateWrite(
  db: Db,
  { id, state, tries }: Pick<CrmWrite, 'id' | 'state' | 'tries'>,
  change: Partial<Omit<CrmWrite, 'id'>>,
): Promise<void> {
  await db
    .update(writeTable)
    .set(change)
    .where(and(eq(writeTable.id, id), eq(writeTable.state, state), eq(writeTable.tries, tries)));
}

const writeSettings = crmWriteSettings;

export async function findWriteSettings(db: Db, accountId: number): Promise<CrmWriteSettings | undefined> {
  const [row] = await db.select().from(writeSettings).where(eq(writeSettings.accountId, accountId));
  return row;
}

/** Accounts with due records that may be written now; reads of the CRM have priority. */
export async function listWritingAccounts({ $client }: Db, now: number): Promise<number[]> {
  const { results } = await $client
    .prepare(
      `SELECT s.account_id AS accountId FROM crm_write_settings s WHERE s.is_on = 1 AND s.wait_until <= ?1
        AND NOT EXISTS (SELECT 1 FROM crm_sync_states c WHERE c.account_id = s.account_id AND max(c.wait_until, c.lease_until) > ?1)
        AND EXISTS (SELECT 1 FROM crm_writes w INDEXED BY crm_writes_due
          WHERE w.account_id = s.account_id AND w.next_try_at <= ?1) LIMIT 10`,
    )
    .bind(now)
    .all<{ accountId: number }>();
  return results.map(({ accountId }) => accountId);
}

/** Save a user's choice, and end any wait of the account. */
export async function saveWriteSettings(
  { $client }: Db,
  { accountId, isOn, changedBy }: { accountId: number; isOn: boolean; changedBy: number },
  now: number,
  event: TextEvent,
): Promise<void> {
  await $client.batch([
    $client
      .prepare(
        `INSERT INTO crm_write_settings (account_id, is_on, changed_by, changed_at) VALUES (?1, ?2, ?3, ?4)
          ON CONFLICT (account_id) DO UPDATE SET is_on = ?2, changed_by = ?3, changed_at = ?4, state = 'ready', said = '',
            wait_until = 0`,
      )
      .bind(accountId, isOn ? 1 : 0, changedBy, now),
    eventStatement($client, event),
    // Refused records are tried once more.
    $client
      .prepare(
        `UPDATE crm_writes INDEXED BY crm_writes_undone SET next_try_at = ?2
          WHERE account_id = ?1 AND state IN ('refused', 'unknown') AND state = 'refused' AND ?3 = 1`,
      )
      .bind(accountId, now, isOn ? 1 : 0),
  ]);
}

/** Pause an account's write-back until `waitUntil` (UTC ms). */
export const pauseWriteBack = (
  db: Db,
  accountId: number,
  change: Pick<CrmWriteSettings, 'waitUntil'> & Partial<Pick<CrmWriteSettings, 'state' | 'said'>>,
) => db.update(writeSettings).set(change).where(eq(writeSettings.accountId, accountId));

/** Save whether a record changes its invoice's balance, as last observed. */
export const saveObservedEffect = (db: Db, accountId: number, movesBalance: boolean) =>
  db
    .update(writeSettings)
    .set({ movesBalance, state: 'ready', said: '' })
    .where(eq(writeSettings.accountId, accountId));
