import { hubs } from '#sandbox/credentials';
import { listenSandbox } from '#sandbox/listen';
import { openNearStorage } from '#tests/support/near-storage';
import { testSettings } from '#tests/support/unit/settings';
import { newDatabase } from '#worker/clinic/new-database';
import { asD1 } from '#worker/clinic/storage-as-d1';
import { openDb } from '#worker/data/db';
import type { CrmWrite } from '#worker/data/schema/write-back';
import { createDeps, type Env } from '#worker/deps';
import { WRITE_SCOPE } from '#worker/domain/write-back/scopes';
import { writeBack } from '#worker/domain/write-back/write';
import { boundTo } from '#worker/security/token-cipher';
import { trouble } from './trouble.ts';

export type Payments = 'on' | 'off' | 'record-only' | 'no-parts';
export type CrmRecord = { invoice: string | null; amount: string; status: string; refunds: string; reference: string };
export type Paid = { n: number; invoiceId: string; cents: number; givenBack: number };

const cents = (decimal: string) => Math.round(Number(decimal) * 100);
const { hubId, writerRefreshToken } = hubs[1];

/**
 * An account with write-back on, its database in memory and its CRM in the sandbox; its time goes as the test says, and
 * `random` decides which calls and statements meet trouble.
 */
export async function openAccount(payments: Payments, random: () => number) {
  const crm = await listenSandbox({ file: ':memory:', port: 0, productUrl: 'http://localhost:8787' });
  const control = async <T>(path: string, body?: object): Promise<T> => {
    const init = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    return (await realFetch(`${crm.url}/_sandbox/${path}`, init)).json() as Promise<T>;
  };
  const { storage, read } = openNearStorage();
  storage.sql.exec(newDatabase.sql);
  const d1 = asD1(storage);
  const line = trouble(random, crm.url);
  const realFetch = globalThis.fetch;
  globalThis.fetch = line.fetch(realFetch);
  let at = Date.now();
  const deps = {
    ...createDeps({ ...testSettings(crm.url) } as unknown as Env),
    db: openDb(line.database(d1)),
    clinic: 1,
    now: () => at,
    pause: async () => undefined,
    log: { info: () => undefined, alert: () => undefined },
  };
  await control(`hubs/${hubId}/settings`, { payments });
  await d1.batch([
    d1
      .prepare("INSERT INTO hubs (hub_id, name, domain, time_zone, connected_at) VALUES (?1, 'P', 'p', 'UTC', 0)")
      .bind(hubId),
    d1
      .prepare(
        'INSERT INTO crm_tokens (hub_id, access_token, refresh_token, expires_at, scopes) VALUES (?1, ?2, ?3, 0, ?4)',
      )
      .bind(
        hubId,
        await deps.sealer.seal('none', boundTo.accessToken(hubId)),
        await deps.sealer.seal(writerRefreshToken, boundTo.refreshToken(hubId)),
        WRITE_SCOPE,
      ),
    d1
      .prepare('INSERT INTO crm_write_settings (hub_id, is_on, changed_by, changed_at) VALUES (?1, 1, 1, 0)')
      .bind(hubId),
  ]);
  const enter = (paid: Paid, kind: 'payment' | 'refund', amount: number) =>
    d1
      .prepare(
        `INSERT INTO ledger (hub_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method, brand, at)
          VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'USD', 'link', 'card', 'VISA', ?7)`,
      )
      .bind(hubId, `txn-${paid.n}-${kind}-${paid.givenBack}`, `a${paid.n}`, paid.invoiceId, kind, amount, at);

  return {
    line,
    /** A bill of the CRM is paid here: what a settlement writes. */
    async pay(n: number, amount: number): Promise<Paid> {
      const made = await control<{ ids: string[] }>(`hubs/${hubId}/invoices`, { amount: (amount / 100).toFixed(2) });
      const paid = { n, invoiceId: made.ids[0] ?? '', cents: amount, givenBack: 0 };
      await d1.batch([
        d1
          .prepare(
            `INSERT INTO payment_attempts (id, hub_id, invoice_id, collection, terminal_id, channel, method, amount_cents,
                currency, invoice_number, dedupe_key, receipt_id, state, provider_txn_id, card_last_four, hold_until, created_at)
              VALUES (?1, ?2, ?3, 1, 'T', 'link', 'card', ?4, 'USD', 'INV', 'k', ?1, 'approved', ?1, '1111', 0, ?5)`,
          )
          .bind(`a${n}`, hubId, paid.invoiceId, amount, at),
        enter(paid, 'payment', amount),
      ]);
      return paid;
    },
    async giveBack(paid: Paid, amount: number) {
      await enter(paid, 'refund', -amount).run();
      paid.givenBack += amount;
    },
    /** Time passes, and the clinic's clock rings. A turn that ends half-way is followed by the next one. */
    async pass(ms: number) {
      at += ms;
      await control('clock', { add_s: ms / 1000 });
      for (let turn = 0; turn < 3; turn++) await writeBack(deps).catch(() => undefined);
    },
    lag: (ms: number) => control(`hubs/${hubId}/settings`, { association_lag_ms: ms }),
    records: () =>
      control<CrmRecord[]>(`hubs/${hubId}/payments`).then((all) => all.filter(({ reference }) => reference)),
    rows: () =>
      read<CrmWrite>(
        'SELECT id, kind, state, said, tries, effect, next_try_at AS nextTryAt FROM crm_writes ORDER BY id',
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

/** What the CRM's records say that was taken for an invoice, and what of it they say is left. */
export function sumsOf(records: CrmRecord[]) {
  const sums = new Map<string, { n: number; taken: number; left: number }>();
  for (const { invoice, amount, refunds } of records) {
    const { n, taken, left } = sums.get(invoice ?? '') ?? { n: 0, taken: 0, left: 0 };
    sums.set(invoice ?? '', { n: n + 1, taken: taken + cents(amount), left: left + cents(amount) - cents(refunds) });
  }
  return sums;
}
