import {
  type Attempt,
  accounts,
  crmTokens,
  invoices,
  merchants,
  payLinks,
  paymentAttempts,
  terminals,
} from '#worker/data/schema/schema';
import type { CrmTokenRow } from '../crm-sync/tokens.ts';
import { columnsOf, type Db, type RawRow, rowOf } from '../db.ts';
import { countVelocity, type VelocityCounts, type VelocityQuery } from './decline-counts.ts';

/**
 * A pay link with all data that a page or a payment needs, read in one round trip. Its SQL is built only once per
 * isolate, because building it with the ORM for each payer would take longer than the query.
 */
export type Payable = {
  link: typeof payLinks.$inferSelect;
  account: typeof accounts.$inferSelect;
  merchant: typeof merchants.$inferSelect | null;
  invoice: typeof invoices.$inferSelect;
  /**
   * The e-commerce terminal, or else any terminal with a public key, which a browser can use. A terminal whose
   * credentials the card provider refused is used only if there is no other.
   */
  terminal: typeof terminals.$inferSelect | null;
  tokens: CrmTokenRow | null;
};

export type LoadedPayable = {
  payable: Payable | undefined;
  /** Attempts on the link's invoice and any with the same card token: undecided ones first, then the newest. */
  attempts: Attempt[];
};

const SELECT_PAYABLE = `SELECT ${[
  columnsOf(payLinks, 'l', 'l_'),
  columnsOf(accounts, 'h', 'h_'),
  columnsOf(merchants, 'm', 'm_'),
  columnsOf(invoices, 'i', 'i_'),
  columnsOf(terminals, 't', 't_'),
  columnsOf(crmTokens, 'c', 'c_'),
].join(', ')}
FROM pay_links l
JOIN accounts h ON h.account_id = l.account_id
JOIN invoices i ON i.account_id = l.account_id AND i.invoice_id = l.invoice_id
LEFT JOIN merchants m ON m.account_id = l.account_id
LEFT JOIN terminals t ON t.account_id = l.account_id AND t.terminal_id = (
  SELECT terminal_id FROM terminals WHERE account_id = l.account_id AND public_key <> ''
  ORDER BY refused_at IS NOT NULL, channel = 'ecommerce' DESC, terminal_id LIMIT 1)
LEFT JOIN crm_tokens c ON c.account_id = l.account_id
WHERE l.pay_id = ?1`;

const SELECT_ATTEMPTS = `SELECT ${columnsOf(paymentAttempts, 'a', '')} FROM payment_attempts a
WHERE (a.account_id = (SELECT account_id FROM pay_links WHERE pay_id = ?1)
       AND a.invoice_id = (SELECT invoice_id FROM pay_links WHERE pay_id = ?1))
   OR a.token_hash = ?2
ORDER BY a.state IN ('sent', 'unknown', 'pending', 'needs_human') DESC, a.created_at DESC LIMIT 20`;

function payableOf(raw: RawRow | undefined): Payable | undefined {
  if (!raw) return undefined;
  const account = rowOf(accounts, raw, 'h_');
  return {
    link: rowOf(payLinks, raw, 'l_'),
    account,
    merchant: raw.m_account_id === null ? null : rowOf(merchants, raw, 'm_'),
    invoice: rowOf(invoices, raw, 'i_'),
    // An account that is closing accepts no more payments.
    terminal: raw.t_terminal_id === null || raw.h_closes_at !== null ? null : rowOf(terminals, raw, 't_'),
    tokens: raw.c_account_id === null ? null : { ...rowOf(crmTokens, raw, 'c_'), timeZone: account.timeZone },
  };
}

const payableStatements = (d1: D1Database, payId: string, tokenHash: string | null) => [
  d1.prepare(SELECT_PAYABLE).bind(payId),
  d1.prepare(SELECT_ATTEMPTS).bind(payId, tokenHash),
];

const payableWithAttempts = (
  payables: D1Result<RawRow> | undefined,
  attempts: D1Result<RawRow> | undefined,
): LoadedPayable => ({
  payable: payableOf(payables?.results[0]),
  attempts: (attempts?.results ?? []).map((raw) => rowOf(paymentAttempts, raw, '')),
});

/** Load a pay link for display. */
export async function loadPayable({ $client }: Db, payId: string): Promise<LoadedPayable> {
  const [payables, attempts] = await $client.batch<RawRow>(payableStatements($client, payId, null));
  return payableWithAttempts(payables, attempts);
}

/** Load a pay link for a payment, with the attempts of the same card token and the counts for the velocity limits. */
export async function loadForPayment(
  db: Db,
  payId: string,
  tokenHash: string,
  query: VelocityQuery,
): Promise<LoadedPayable & { counts: VelocityCounts | undefined }> {
  const d1 = db.$client;
  const [payables, attempts, counts] = await d1.batch<RawRow>([
    ...payableStatements(d1, payId, tokenHash),
    ...countVelocity(db, { of: { ...query, payId } }, undefined, ''),
  ]);
  return { ...payableWithAttempts(payables, attempts), counts: counts?.results[0] as VelocityCounts | undefined };
}
