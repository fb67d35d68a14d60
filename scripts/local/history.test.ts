import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, expect } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { listenSandbox } from '#sandbox/listen';
import * as completeOnly from '#tests/support/complete-only';
import { migrate } from './database.ts';
import { seedLocal } from './seed.ts';
import { readLocal } from './settings.ts';

const state = mkdtempSync(path.join(tmpdir(), 'tillway-history-'));
afterAll(() => rmSync(state, { recursive: true, force: true }));

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

type Rows = Record<string, string | number | null>[];

/** The folder is closed by then, so the files can be read directly. */
function readFile(file: string, sql: string): Rows {
  const db = new DatabaseSync(file, { readOnly: true });
  try {
    return db.prepare(sql).all() as Rows;
  } finally {
    db.close();
  }
}

function queryClinic(sql: string): Rows {
  const files = globSync(`${state}/v3/do/*Clinic/*.sqlite`).filter((file) => !file.endsWith('metadata.sqlite'));
  const hasAccount = `SELECT 1 FROM accounts WHERE account_id = ${hubs[0].hubId}`;
  const file = files.find((candidate) => readFile(candidate, hasAccount).length === 1);
  return readFile(file ?? '', sql);
}
const queryGateway = (sql: string): Rows => readFile(path.join(state, 'sandbox.sqlite'), sql);

// It writes some 160 payments, which takes long on a busy machine.
completeOnly.describe('the first start', () => {
  completeOnly.it('writes 90 days of history once, matching the gateway', { timeout: 300_000 }, async () => {
    const [port, sandboxPort] = [await freePort(), await freePort()];
    const local = readLocal({ PORT: String(port), SANDBOX_PORT: String(sandboxPort), TILLWAY_STATE: state });
    const ignore = () => undefined;
    await migrate(state, ignore);
    const open = () =>
      listenSandbox({ file: path.join(state, 'sandbox.sqlite'), port: sandboxPort, productUrl: local.appUrl });
    const world = await open();
    const timing = { from: 0, ms: 0 };
    await seedLocal(local, (message) => {
      if (message.startsWith('writing')) timing.from = performance.now();
      else timing.ms = performance.now() - timing.from;
    });
    console.log(`the history took ${(timing.ms / 1000).toFixed(1)} s`);
    await world.close();

    // I2: each charge has its ledger row, and each ledger row its charge.
    const charges = queryGateway(
      `SELECT CAST(seq + 218490000 AS TEXT) AS id, order_id, amount_cents FROM transactions
       WHERE result = 'APPROVED' AND type = 'SALE' ORDER BY id`,
    );
    const payments = queryClinic(
      `SELECT provider_txn_id AS id, attempt_id AS order_id, amount_cents FROM ledger WHERE kind = 'payment' ORDER BY id`,
    );
    expect(charges.length).toBeGreaterThan(120);
    expect(payments).toEqual(charges);
    // I3: after all refunds and voids, both sums are equal.
    const [gatewayTotal] = queryGateway(
      `SELECT sum(CASE type WHEN 'REFUND' THEN -amount_cents WHEN 'SALE' THEN amount_cents * (voided = 0) ELSE 0 END) AS cents
       FROM transactions WHERE result = 'APPROVED'`,
    );
    const [ledgerTotal] = queryClinic('SELECT sum(amount_cents) AS cents FROM ledger');
    expect(ledgerTotal).toEqual(gatewayTotal);
    expect(queryClinic("SELECT count(*) AS n FROM ledger WHERE kind IN ('refund', 'void')")[0]?.n).toBeGreaterThan(4);
    // The reconciliation has read all transactions and found no difference.
    const compared = queryClinic(
      'SELECT verdict, count(*) AS n FROM gateway_transactions GROUP BY verdict ORDER BY verdict',
    );
    expect(compared.map(({ verdict }) => verdict)).toEqual(['matched', 'none']);
    expect(Number(compared[0]?.n)).toBeGreaterThanOrEqual(payments.length);
    // The totals for the analytics cover most days.
    const [days] = queryClinic('SELECT count(DISTINCT day) AS n FROM daily_totals');
    expect(days?.n).toBeGreaterThan(60);
    expect(queryClinic("SELECT count(*) AS n FROM outbox WHERE state = 'due'")).toEqual([{ n: 0 }]);
    const offset = Number(queryGateway("SELECT value FROM meta WHERE name = 'clock-offset-ms'")[0]?.value);
    expect(Math.abs(offset)).toBeLessThan(5000);

    const reopened = await open();
    await seedLocal(local, ignore);
    await reopened.close();
    expect(queryClinic("SELECT count(*) AS n FROM ledger WHERE kind = 'payment'")).toEqual([{ n: payments.length }]);
  });
});
