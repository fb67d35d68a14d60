import { afterAll, beforeAll, expect } from 'vitest';
import { bundleOf } from '#tests/bench/bundle';
import { printFigures, recordFigure } from '#tests/bench/report';
import { settings, startWorker } from '#tests/bench/test-worker';
import { quantile } from '#tests/simulation/day/freshness';
import { heldCents } from '#tests/simulation/gateway/truth';
import { complete, it } from '#tests/support/complete-only';
import { paymentForm } from '#tests/support/pay-form';
import { until } from '#tests/support/product/product';
import type { Reply } from '#worker/clinic/d1-interface';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import type { Turn } from './entry.ts';
import { serveVendors, type Vendors } from './vendors.ts';

/** Ten clinics on the runtime's own objects and alarms, for a minute of real time. */

const CLINICS = 10;
const INVOICES = 60;
const FIRST = 5000;
const EDITS = 40;
const PAYMENTS = 30;
const BUSY_MS = 25_000;
const IDLE_MS = 5000;
/** Period in which all answers of the gateway are lost. */
const LOST_ANSWERS = { from: 8000, ms: 4000 };
const FAST_SETTINGS = {
  SYNC_EVERY_MS: '5000',
  SYNC_IDLE_MS: String(IDLE_MS),
  HOLD_MS: '2000',
  SENT_GRACE_MS: '500',
  CHARGE_TIMEOUT_MS: '3000',
};

type Running = Awaited<ReturnType<typeof startWorker>>;
type Clinic = {
  accountId: number;
  number: number;
  at: number;
  terminalId: string;
  crm: ReturnType<Vendors['crm']['add']>;
};

let vendors: Vendors;
let worker: Running;
const clinics: Clinic[] = [];

beforeAll(async () => {
  if (!complete) return;
  vendors = await serveVendors();
  worker = await startWorker(await bundleOf('../simulation/real-alarms/entry.ts'), {
    ...settings(vendors.url),
    ...FAST_SETTINGS,
  });
  for (let index = 0; index < CLINICS; index++) clinics.push(await createClinic(index));
}, 300_000);
afterAll(async () => {
  if (!complete) return;
  await worker.close();
  await vendors.close();
});
printFigures();

async function createClinic(at: number): Promise<Clinic> {
  const accountId = FIRST + at;
  const crm = vendors.crm.add(accountId, INVOICES, Date.now() - 3_600_000);
  const { model, ...terminal } = vendors.gateways.add(at, 0);
  model.knobs.processMs = [20, 100];
  const { refreshToken } = vendors.crm.connect(accountId);
  await worker.call('PUT', '/bench/world', {
    account: { accountId, name: `Clinic ${at}`, domain: 'ten.example', timeZone: 'UTC' },
    refreshToken,
    terminal: { ...terminal, accountId, name: 'Web', channel: 'ecommerce' },
  });
  const { clinic } = await worker.call<{ clinic: number }>('PUT', `/bench/clinics/${accountId}`);
  return { accountId, number: clinic, at, terminalId: terminal.terminalId, crm };
}

async function rowsOf<Row>({ number }: Clinic, sql: string): Promise<Row[]> {
  const reply = await worker.call<Reply>('PUT', `/bench/ask/${number}`, [{ sql, values: [] }]);
  if (!('done' in reply)) throw new Error(JSON.stringify(reply));
  const [answer] = reply.done;
  return (answer?.rows ?? []).map((row) => Object.fromEntries(row.map((cell, n) => [answer?.columns[n], cell])) as Row);
}

const sumOf = async (sql: string) => {
  const results = await Promise.all(clinics.map((clinic) => rowsOf<{ n: number }>(clinic, sql)));
  return results.reduce((sum, [row]) => sum + (row?.n ?? 0), 0);
};

it('ten clinics on real alarms sync, stay fresh, settle every payment and mail each receipt once', async () => {
  const syncedClinics = 'SELECT count(*) AS n FROM crm_sync_states WHERE complete_at IS NOT NULL';
  await until(
    () => sumOf(syncedClinics),
    (n) => n === CLINICS,
    120_000,
  );
  const startedAt = Date.now();
  const waitUntil = (ms: number) =>
    new Promise((resolve) => setTimeout(resolve, Math.max(0, startedAt + ms - Date.now())));
  const clinicOf = (n: number) => clinics[n % CLINICS] as Clinic;

  const edits: { clinic: Clinic; n: number; cents: number; at: number; seenAt: number }[] = [];
  const editing = Array.from({ length: EDITS }, async (_, index) => {
    const clinic = clinicOf(index);
    const n = INVOICES - 1 - Math.floor(index / CLINICS);
    await waitUntil((index / EDITS) * BUSY_MS);
    const edit = { clinic, n, cents: 77_000 + index, at: Date.now(), seenAt: Number.POSITIVE_INFINITY };
    clinic.crm.edit(n, edit.cents, edit.at);
    edits.push(edit);
    const balanceSql = `SELECT balance_cents AS n FROM invoices WHERE invoice_id = '${clinic.crm.idOf('invoices', n)}'`;
    await until(
      () => rowsOf<{ n: number }>(clinic, balanceSql),
      ([row]) => row?.n === edit.cents,
      60_000,
    );
    edit.seenAt = Date.now();
  });
  const statuses = new Map<string, number>();
  const paying = Array.from({ length: PAYMENTS }, async (_, index) => {
    const clinic = clinicOf(index);
    const n = Math.floor(index / CLINICS);
    await waitUntil((index / PAYMENTS) * BUSY_MS);
    const id = clinic.crm.idOf('invoices', n);
    const { payId } = await worker.call<{ payId: string }>('PUT', `/bench/links/${clinic.accountId}/${id}`);
    const paymentDetails = vendors.gateways.modelOf(clinic.at).issueToken(clinic.terminalId);
    const response = await fetch(`${worker.url}/api/invoices/takePaymentSDK/${payId}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(paymentForm({ paymentDetails })),
    });
    await response.text();
    statuses.set(`${clinic.at}/${n}`, response.status);
  });
  void waitUntil(LOST_ANSWERS.from).then(() => vendors.loseAnswers(LOST_ANSWERS.ms));
  await Promise.all([...editing, ...paying]);

  const openWork = `SELECT (SELECT count(*) FROM payment_attempts WHERE state IN ('sent', 'unknown', 'needs_human'))
    + (SELECT count(*) FROM outbox WHERE state = 'due') AS n`;
  await until(
    () => sumOf(openWork),
    (n) => n === 0,
    120_000,
  );

  // All work is done, so the following turns show the cost of an unused clinic.
  const settledAt = Date.now();
  const quietTurns = async () => {
    const turnsByClinic = await Promise.all(
      clinics.map(({ number }) => worker.call<Turn[]>('PUT', `/bench/call/${number}/turns`, [])),
    );
    return turnsByClinic.map((turns) => turns.filter(({ at }) => at > settledAt)).filter((turns) => turns.length > 1);
  };
  const quiet = (await until(quietTurns, (turnsByClinic) => turnsByClinic.length === CLINICS, 60_000)).flat();
  const rows = quiet.map((turn) => turn.rows).sort((a, b) => a - b);

  let [extra, lost, charges] = [0, 0, 0];
  for (const clinic of clinics) {
    const chargesTaken = vendors.gateways
      .modelOf(clinic.at)
      .truth()
      .charges.filter(({ state }) => state !== 'declined');
    charges += chargesTaken.length;
    extra += chargesTaken.length - new Set(chargesTaken.map(({ invoice }) => invoice)).size;
    const gatewayCents = chargesTaken.reduce((sum, charge) => sum + heldCents(charge), 0);
    const [ledger] = await rowsOf<{ n: number | null }>(clinic, 'SELECT sum(amount_cents) AS n FROM ledger');
    if ((ledger?.n ?? 0) !== gatewayCents) lost += 1;
  }
  const mails = vendors.mail.truth().length;
  const lostAnswers = [...statuses.values()].filter((status) => status !== 200).length;
  const ages = edits.map(({ at, seenAt }) => seenAt - at).sort((a, b) => a - b);

  const zero = (name: string, count: number) => recordFigure(name, String(count), '0', count === 0);
  zero('real alarms: extra charges', extra);
  zero('real alarms: clinics whose books differ from the gateway', lost);
  zero('real alarms: mails twice or missing', Math.abs(mails - charges));
  const p99 = quantile(ages, 0.99);
  // Generous, since the clock is real and the machine may be busy.
  const limit = 6 * IDLE_MS;
  recordFigure(
    `real alarms: freshness p99 at ${IDLE_MS / 1000} s`,
    `${(p99 / 1000).toFixed(1)} s`,
    `<= ${limit / 1000} s`,
    p99 <= limit,
  );
  recordFigure('real alarms: payments whose answer was lost', String(lostAnswers), 'printed', true);
  recordFigure(
    'real alarms: rows of a quiet turn, with indexes',
    `${quantile(rows, 0.5)} (${quiet.length} turns)`,
    'printed',
    true,
  );
  expect({ charges, extra, lost, mails }).toEqual({ charges: PAYMENTS, extra: 0, lost: 0, mails: PAYMENTS });
  expect(lostAnswers).toBeGreaterThan(0);
  expect(p99).toBeLessThanOrEqual(limit);
}, 400_000);

it('a clinic’s object has the schema that the Worker expects', async () => {
  const [row] = await rowsOf<{ schema: number }>(clinics[0] as Clinic, 'SELECT schema FROM clinic');
  expect(row?.schema).toBe(CLINIC_SCHEMA);
});
