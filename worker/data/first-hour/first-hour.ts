import { eq, sql } from 'drizzle-orm';
import type { MerchantRow } from '#worker/data/merchants/merchants';
import { accounts } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { isOpen } from '../payable-conditions.ts';

/** The state of an account's setup. Times in UTC ms, amounts in cents of USD. */
export type FirstHourRow = {
  connectedAt: number;
  endedAt: number | null;
  mailsSeenAt: number | null;
  business: string;
  status: MerchantRow['status'] | null;
  claimedAt: number | null;
  /** The time of the provider's last message about the application. */
  toldAt: number | null;
  terminals: number;
  online: number;
  /** 1 if the CRM's grant was revoked. */
  isCut: 0 | 1;
  failingSince: number | null;
  completeAt: number | null;
  copied: number | null;
  expected: number | null;
  invoices: number | null;
  invoicesOf: number | null;
  /** The highest scan pass of any kind; if it is 1, `beganAt` is the start of the first sync. */
  pass: number | null;
  beganAt: number | null;
  members: number;
  invited: number;
  email: string | null;
  testSentAt: number | null;
};

export type TestInvoice = {
  invoiceId: string;
  number: string;
  cents: number;
  firstName: string;
  lastName: string;
  /** Recipient of the receipt; '' if none. */
  email: string;
};

export type FirstPayment = { receiptId: string; cents: number; currency: string; at: number };

const SELECT_FACTS = `SELECT h.connected_at AS connectedAt, h.first_hour_ended_at AS endedAt, h.mails_seen_at AS mailsSeenAt,
  h.name AS business, m.status, m.claimed_at AS claimedAt,
  (SELECT max(l.at) FROM merchant_logs l WHERE l.account_id = h.account_id) AS toldAt,
  (SELECT count(*) FROM terminals t WHERE t.account_id = h.account_id) AS terminals,
  (SELECT count(*) FROM terminals t WHERE t.account_id = h.account_id AND t.channel = 'ecommerce') AS online,
  EXISTS (SELECT 1 FROM crm_tokens g WHERE g.account_id = h.account_id AND g.revoked_at IS NOT NULL) AS isCut,
  k.failing_since AS failingSince, k.complete_at AS completeAt, k.copied, k.expected,
  c.copied AS invoices, iif(c.pass > 0, c.expected, NULL) AS invoicesOf,
  (SELECT max(b.pass) FROM crm_cursors b WHERE b.account_id = h.account_id) AS pass,
  (SELECT min(nullif(b.began_at, 0)) FROM crm_cursors b WHERE b.account_id = h.account_id) AS beganAt,
  (SELECT count(*) FROM users o WHERE o.account_id = h.account_id AND o.removed_at IS NULL) AS members,
  (SELECT count(*) FROM invitations i
    WHERE i.account_id = h.account_id AND i.ended_at IS NULL AND i.ends_at > ?3) AS invited,
  u.email,
  (SELECT max(x.created_at) FROM outbox x INDEXED BY outbox_test_links
    WHERE x.account_id = h.account_id AND x.kind = 'test-link' AND x.state <> 'failed') AS testSentAt
FROM accounts h LEFT JOIN merchants m ON m.account_id = h.account_id LEFT JOIN crm_sync_states k ON k.account_id = h.account_id
  LEFT JOIN crm_cursors c ON c.account_id = h.account_id AND c.kind = 'invoices'
  LEFT JOIN users u ON u.account_id = h.account_id AND u.user_id = ?2
WHERE h.account_id = ?1`;

/**
 * The invoice with the smallest amount payable online, because a test payment must be voided afterwards. Of the three
 * smallest, an invoice to the tester's own address comes first, so that no customer receives the receipt of a test.
 */
const TEST_INVOICE = `SELECT * FROM (SELECT invoice_id AS invoiceId, number, list_balance_cents AS cents,
  contact_first_name AS firstName, contact_last_name AS lastName, trim(contact_email) AS email
FROM invoices INDEXED BY open_invoices_by_balance
WHERE account_id = ?1 AND deleted_at IS NULL AND (local_status <> 'none' OR status IN ('open', 'paid'))
  AND coalesce(list_balance_cents, -9007199254740991) BETWEEN 1 AND ?2
  AND ${isOpen()} AND currency = 'USD'
ORDER BY coalesce(list_balance_cents, -9007199254740991), id_number LIMIT 3)
ORDER BY lower(email) = (SELECT lower(email) FROM users WHERE account_id = ?1 AND user_id = ?3 AND email <> '') DESC, cents
LIMIT 1`;

const FIRST_PAYMENT = `SELECT a.receipt_id AS receiptId, l.amount_cents AS cents, l.currency, l.at
FROM ledger l INDEXED BY ledger_day CROSS JOIN payment_attempts a ON a.id = l.attempt_id
WHERE l.account_id = ?1 AND l.kind = 'payment' ORDER BY l.at LIMIT 1`;

/** All data for the setup list, in one round trip; `userId`: the user who views it. */
export async function readFirstHour(
  { $client }: Db,
  { accountId, userId }: { accountId: number; userId: number },
  { now, maxCents }: { now: number; maxCents: number },
): Promise<{ facts: FirstHourRow | undefined; invoice: TestInvoice | undefined; payment: FirstPayment | undefined }> {
  const [facts, invoice, payment] = await $client.batch<unknown>([
    $client.prepare(SELECT_FACTS).bind(accountId, userId, now),
    $client.prepare(TEST_INVOICE).bind(accountId, maxCents, userId),
    $client.prepare(FIRST_PAYMENT).bind(accountId),
  ]);
  return {
    facts: facts?.results[0] as FirstHourRow | undefined,
    invoice: invoice?.results[0] as TestInvoice | undefined,
    payment: payment?.results[0] as FirstPayment | undefined,
  };
}

/** Save an administrator's changes to the list. The time at which the emails were first seen is set only once. */
export async function saveFirstHour(
  db: Db,
  accountId: number,
  { isEnded, hasSeenMails }: { isEnded?: boolean; hasSeenMails?: true },
  now: number,
  event: NewEvent,
): Promise<void> {
  const change = {
    ...(isEnded === undefined ? {} : { firstHourEndedAt: isEnded ? now : null }),
    ...(hasSeenMails ? { mailsSeenAt: sql`coalesce(mails_seen_at, ${now})` } : {}),
  };
  await db.batch([db.update(accounts).set(change).where(eq(accounts.accountId, accountId)), eventWrite(db, event)]);
}
