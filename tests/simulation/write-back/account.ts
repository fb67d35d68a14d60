import { hubs } from '#sandbox/credentials';
import { listenSandbox } from '#sandbox/listen';
import { openNearStorage } from '#tests/support/near-storage';
import { testSettings } from '#tests/support/unit/settings';
import { clinicMigrations } from '#worker/clinic/migrations';
import { firstDue } from '#worker/clinic/next-alarm';
import { asD1 } from '#worker/clinic/storage-as-d1';
import type { CrmWrite } from '#worker/data/schema/crm';
import type { Env } from '#worker/deps';
import { WRITE_SCOPE } from '#worker/domain/write-back/settings';
import { boundTo } from '#worker/security/token-cipher';
import * as product from './product.ts';
import { trouble } from './trouble.ts';

export type Payments = 'on' | 'off' | 'record-only' | 'no-parts';
export type CrmRecord = { invoice: string | null; amount: string; status: string; refunds: string; reference: string };
/** A payment with its refunded cents; `billed`: amount of its invoice (cents). */
export type Payment = { n: number; invoiceId: string; cents: number; refunded: number; billed: number };

const { hubId, writerRefreshToken } = hubs[1];

/** Minimum time (ms) between two turns of a clinic's clock. */
const MIN_TURN_GAP_MS = 500;

/**
 * An account with write-back on, an in-memory database and a CRM in the sandbox. The test advances its clock, and
 * `random` decides which calls and statements have faults. The third argument is the product or a mutant of it.
 */
export async function openAccount(
  payments: Payments,
  random: () => number,
  { createDeps, openDb, writeBack }: typeof product = product,
) {
  const crm = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:8787' });
  const control = async <T>(path: string, body?: object, method = 'POST'): Promise<T> => {
    const init = body && {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    return (await realFetch(`${crm.url}/_sandbox/${path}`, init)).json() as Promise<T>;
  };
  const { storage, read } = openNearStorage();
  for (const { sql } of clinicMigrations) storage.sql.exec(sql);
  const d1 = asD1(storage);
  let at = Date.now();
  const advance = async (ms: number) => {
    at += ms;
    await control('clock', { add_s: ms / 1000 });
  };
  const line = trouble(random, crm.url, () => at);
  const realFetch = globalThis.fetch;
  globalThis.fetch = line.fetch(realFetch);
  const deps = {
    ...createDeps({ ...testSettings(crm.url) } as unknown as Env),
    db: openDb(line.database(d1)),
    clinic: 1,
    now: () => at,
    pause: advance,
    log: { info: () => undefined, alert: () => undefined },
  };
  await control(`hubs/${hubId}/settings`, { payments });
  await d1.batch([
    d1
      .prepare(
        "INSERT INTO accounts (account_id, name, domain, time_zone, connected_at) VALUES (?1, 'P', 'p', 'UTC', 0)",
      )
      .bind(hubId),
    d1
      .prepare(
        'INSERT INTO crm_tokens (account_id, access_token, refresh_token, expires_at, scopes) VALUES (?1, ?2, ?3, 0, ?4)',
      )
      .bind(
        hubId,
        await deps.sealer.seal('none', boundTo.accessToken(hubId)),
        await deps.sealer.seal(writerRefreshToken, boundTo.refreshToken(hubId)),
        WRITE_SCOPE,
      ),
    d1
      .prepare('INSERT INTO crm_write_settings (account_id, is_on, changed_by, changed_at) VALUES (?1, 1, 1, 0)')
      .bind(hubId),
  ]);
  const insertEntry = (payment: Payment, kind: 'payment' | 'refund', amount: number) =>
    d1
      .prepare(
        `INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method, brand, at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'USD', 'link', 'card', 'VISA', ?7)`,
      )
      .bind(
        ...[hubId, `txn-${payment.n}-${kind}-${payment.refunded}`, `a${payment.n}`, payment.invoiceId, kind],
        ...[amount, at],
      );
  const makeBill = async (cents: number) => {
    const created = await control<{ ids: string[] }>(`hubs/${hubId}/invoices`, { amount: (cents / 100).toFixed(2) });
    return created.ids[0] ?? '';
  };

  return {
    line,
    /** Writes the rows of a settled payment of a CRM bill or of a part of it. `bill.invoiceId`: an existing bill. */
    async pay(
      n: number,
      amount: number,
      bill: { billed: number; invoiceId?: string } = { billed: amount },
    ): Promise<Payment> {
      const invoiceId = bill.invoiceId ?? (await makeBill(bill.billed));
      const payment = { n, invoiceId, cents: amount, refunded: 0, billed: bill.billed };
      await d1.batch([
        d1
          .prepare(
            `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, terminal_id, channel, method, amount_cents,
                currency, invoice_number, dedupe_key, receipt_id, state, provider_txn_id, card_last_four, hold_until, created_at)
              VALUES (?1, ?2, ?3, ?6, 'T', 'link', 'card', ?4, 'USD', 'INV', 'k', ?1, 'approved', ?1, '1111', 0, ?5)`,
          )
          .bind(`a${n}`, hubId, invoiceId, amount, at, bill.invoiceId ? 2 : 1),
        insertEntry(payment, 'payment', amount),
      ]);
      return payment;
    },
    /** Staff enter the payment in the CRM. */
    async enterInCrm({ invoiceId }: Payment) {
      const properties = { hs_invoice_status: 'paid', hs_balance_due: '0.00' };
      await control(`hubs/${hubId}/invoices/${invoiceId}`, { properties }, 'PATCH');
    },
    async refund(payment: Payment, amount: number) {
      await insertEntry(payment, 'refund', -amount).run();
      payment.refunded += amount;
    },
    /** Advances the clock and runs a turn whenever something is due; the next turn continues an interrupted one. */
    async pass(ms: number) {
      const end = at + ms;
      for (;;) {
        const next = Math.max(at + MIN_TURN_GAP_MS, firstDue(storage.sql));
        if (next > end) break;
        await advance(next - at);
        await writeBack(deps).catch(() => undefined);
      }
      if (at < end) await advance(end - at);
    },
    lag: (ms: number) => control(`hubs/${hubId}/settings`, { association_lag_ms: ms }),
    records: () =>
      control<CrmRecord[]>(`hubs/${hubId}/payments`).then((records) => records.filter(({ reference }) => reference)),
    rows: () =>
      read<CrmWrite>(
        'SELECT id, attempt_id AS attemptId, kind, state, said, tries, effect, next_try_at AS nextTryAt FROM crm_writes ORDER BY id',
      ),
    settings: () =>
      read<{ state: string; said: string; moves: number | null }>(
        'SELECT state, said, moves_balance AS moves FROM crm_write_settings',
      )[0],
    async close() {
      globalThis.fetch = realFetch;
      await crm.close();
    },
  };
}

export type Account = Awaited<ReturnType<typeof openAccount>>;
