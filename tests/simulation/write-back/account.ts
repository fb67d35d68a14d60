import { hubs } from '#sandbox/credentials';
import { listenSandbox } from '#sandbox/listen';
import { openNearStorage } from '#tests/support/near-storage';
import { testSettings } from '#tests/support/unit/settings';
import { firstDue } from '#worker/clinic/due';
import { clinicMigrations } from '#worker/clinic/migrations';
import { asD1 } from '#worker/clinic/storage-as-d1';
import type { CrmWrite } from '#worker/data/schema/crm';
import type { Env } from '#worker/deps';
import { WRITE_SCOPE } from '#worker/domain/write-back/settings';
import { boundTo } from '#worker/security/token-cipher';
import * as product from './product.ts';
import { trouble } from './trouble.ts';

export type Payments = 'on' | 'off' | 'record-only' | 'no-parts';
export type CrmRecord = { invoice: string | null; amount: string; status: string; refunds: string; reference: string };
/** `billed`: what its invoice is over. */
export type Paid = { n: number; invoiceId: string; cents: number; givenBack: number; billed: number };

const { hubId, writerRefreshToken } = hubs[1];

/** The least time (ms) from one turn of a clinic's clock to the next. */
const SOON_MS = 500;

/**
 * An account with write-back on, its database in memory and its CRM in the sandbox; its time goes as the test says, and
 * `random` decides which calls and statements meet trouble. `writeBack`: without one of its guards, for a mutant.
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
  const enter = (paid: Paid, kind: 'payment' | 'refund', amount: number) =>
    d1
      .prepare(
        `INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method, brand, at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'USD', 'link', 'card', 'VISA', ?7)`,
      )
      .bind(hubId, `txn-${paid.n}-${kind}-${paid.givenBack}`, `a${paid.n}`, paid.invoiceId, kind, amount, at);
  const makeBill = async (cents: number) => {
    const made = await control<{ ids: string[] }>(`hubs/${hubId}/invoices`, { amount: (cents / 100).toFixed(2) });
    return made.ids[0] ?? '';
  };

  return {
    line,
    /** A bill of the CRM is paid here, or a part of it: what a settlement writes. `bill`: it is there already, with its id. */
    async pay(
      n: number,
      amount: number,
      bill: { billed: number; invoiceId?: string } = { billed: amount },
    ): Promise<Paid> {
      const invoiceId = bill.invoiceId ?? (await makeBill(bill.billed));
      const paid = { n, invoiceId, cents: amount, givenBack: 0, billed: bill.billed };
      await d1.batch([
        d1
          .prepare(
            `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, terminal_id, channel, method, amount_cents,
                currency, invoice_number, dedupe_key, receipt_id, state, provider_txn_id, card_last_four, hold_until, created_at)
              VALUES (?1, ?2, ?3, ?6, 'T', 'link', 'card', ?4, 'USD', 'INV', 'k', ?1, 'approved', ?1, '1111', 0, ?5)`,
          )
          .bind(`a${n}`, hubId, invoiceId, amount, at, bill.invoiceId ? 2 : 1),
        enter(paid, 'payment', amount),
      ]);
      return paid;
    },
    /** Somebody enters the payment in the CRM. */
    async enter({ invoiceId }: Paid) {
      const properties = { hs_invoice_status: 'paid', hs_balance_due: '0.00' };
      await control(`hubs/${hubId}/invoices/${invoiceId}`, { properties }, 'PATCH');
    },
    async giveBack(paid: Paid, amount: number) {
      await enter(paid, 'refund', -amount).run();
      paid.givenBack += amount;
    },
    /** Time passes, and the clinic's clock rings when something is due. A turn that ends half-way is followed by the next. */
    async pass(ms: number) {
      const end = at + ms;
      for (;;) {
        const next = Math.max(at + SOON_MS, firstDue(storage.sql));
        if (next > end) break;
        await advance(next - at);
        await writeBack(deps).catch(() => undefined);
      }
      if (at < end) await advance(end - at);
    },
    lag: (ms: number) => control(`hubs/${hubId}/settings`, { association_lag_ms: ms }),
    records: () =>
      control<CrmRecord[]>(`hubs/${hubId}/payments`).then((all) => all.filter(({ reference }) => reference)),
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
