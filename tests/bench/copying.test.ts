import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveVendors, type Vendors } from '#tests/simulation/real-alarms/vendors';
import type { Asked, ClinicCalls } from '#worker/clinic/facade';
import { remoteD1 } from '#worker/clinic/facade';
import { CLINIC_SCHEMA } from '#worker/clinic/schema-number';
import { noRecords, piecesOf, syncWrites } from '#worker/data/crm-sync/records';
import { openDb } from '#worker/data/db';
import type { CrmContact, CrmInvoiceEntry } from '#worker/vendors/hubspot/port';
import { bundleOf } from './bundle.ts';
import { quantiles } from './load.ts';
import { figure, isFull, printFigures } from './report.ts';
import { settings, startWorker } from './test-worker.ts';

/**
 * What a payer feels while another clinic's clock copies its CRM. The local runtime has one thread for all objects and
 * the Worker, so all of the copying's CPU delays the payer here; on the platform objects are apart.
 */
const MANY = isFull ? 100_000 : 10_000;
const PIECES = isFull ? 200 : 60;
const PAYER_EVERY_MS = 25;
const [PAYING, COPYING, WRITING] = [6001, 6002, 6003];
const PAGE = 100;
const RECORDS = 50;

let vendors: Vendors;
let worker: Awaited<ReturnType<typeof startWorker>>;
beforeAll(async () => {
  vendors = await serveVendors();
  worker = await startWorker(await bundleOf('../simulation/real-alarms/entry.ts'), settings(vendors.url));
}, 300_000);
afterAll(async () => {
  await worker.close();
  await vendors.close();
});
printFigures();

/** Connects an account with so many invoices; answers its clinic's number. Its clock begins to copy at once. */
async function connect(accountId: number, invoices: number): Promise<number> {
  vendors.crm.add(accountId, invoices, Date.now() - 3_600_000);
  const { model: _, ...terminal } = vendors.gateways.add(accountId, 0);
  await worker.call('PUT', '/bench/world', {
    account: { accountId, name: 'Copying', domain: 'copying.example', timeZone: 'UTC' },
    refreshToken: vendors.crm.connect(accountId).refreshToken,
    terminal: { ...terminal, accountId, name: 'Web', channel: 'ecommerce' },
  });
  return (await worker.call<{ clinic: number }>('PUT', `/bench/clinics/${accountId}`)).clinic;
}

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

const numbers = (page: number) => Array.from({ length: PAGE }, (_, at) => page * PAGE + at);
const nowhere = { address: '', city: '', state: '', zip: '' };
const contactOf = (n: number): CrmContact => ({
  ...{ id: String(n), firstName: 'Ana', lastName: `Pál ${n}`, email: `p${n}@payer.example`, phone: '555' },
  ...{ company: 'Bench', companyId: '', ...nowhere, modifiedAt: 1000 + n },
});
const invoiceOf = (n: number): CrmInvoiceEntry => ({
  ...{ id: String(n), number: `INV-${n}`, status: 'open', currency: 'USD', balanceCents: n, billedCents: n },
  ...{ dueDate: '2026-12-01', invoiceDate: '2026-11-01', paidOn: null, createdAt: 1000, modifiedAt: 1000 + n },
  ...{ contactId: String(n), companyId: '', recipient: nowhere },
});

/** The statements of a page of the copy, piece by piece, as they come to the object. */
async function piecesAsAsked(page: number): Promise<Asked[][]> {
  const pieces: Asked[][] = [];
  const far: ClinicCalls = {
    ask: async (_schema, asked) => {
      pieces.push(asked);
      const meta = { changes: 0, last_row_id: 0, changed_db: false, size_after: 0, rows_read: 0, rows_written: 0 };
      return { done: asked.map(() => ({ columns: [], rows: [], meta })) };
    },
    migrate: () => Promise.reject(new Error('never behind')),
  };
  const db = openDb(remoteD1(() => far, CLINIC_SCHEMA));
  const synced = { ...noRecords(2), contacts: numbers(page).map(contactOf), invoices: numbers(page).map(invoiceOf) };
  for (const piece of piecesOf(synced)) {
    expect(piece.contacts.length + piece.invoices.length).toBeLessThanOrEqual(RECORDS);
    await db.$client.batch(syncWrites(db, WRITING, piece, { companies: 1, contacts: 1, invoices: 1 }));
  }
  return pieces;
}

it(`delays payers while another clinic copies ${MANY} invoices by the pieces alone`, async () => {
  await connect(PAYING, 20);
  const { payId } = await worker.call<{ payId: string }>('PUT', `/bench/links/${PAYING}/1000001`);
  const look = async () => {
    const response = await fetch(`${worker.url}/api/invoices/${payId}`);
    await response.text();
    expect(response.status).toBe(200);
  };
  for (let n = 0; n < 50; n++) await look();
  const alone: number[] = [];
  for (let n = 0; n < 100; n++) alone.push(await msOf(look));

  const clinic = await connect(COPYING, MANY);
  const waits: Promise<number>[] = [];
  const timer = setInterval(() => waits.push(msOf(look)), PAYER_EVERY_MS);
  const copied = async () => {
    const asked = [{ sql: 'SELECT count(*) FROM invoices', values: [] }];
    const { done } = await worker.call<{ done: { rows: number[][] }[] }>('PUT', `/bench/ask/${clinic}`, asked);
    return done[0]?.rows[0]?.[0] ?? 0;
  };
  // Enough pages of the copy to see it; the rest would be the same again.
  const enough = Math.min(MANY, isFull ? 40_000 : 4000);
  await expect.poll(copied, { timeout: 500_000, interval: 500 }).toBeGreaterThanOrEqual(enough);
  clearInterval(timer);
  const during = (await Promise.all(waits)).sort((a, b) => a - b);
  const p99 = during[Math.ceil(during.length * 0.99) - 1] ?? Number.NaN;
  const text = `${p99.toFixed(0)} ms of ${during.length} payers; alone ${quantiles(alone).median.toFixed(1)} ms`;
  figure(`payers’ p99 while another clinic copies, one thread`, text, 'printed', true);
}, 600_000);

it('holds the clinic’s object for a piece at most 1.5 times as long as writing the same piece into a bare one', async () => {
  const clinic = await connect(WRITING, 0);
  await worker.call('PUT', '/bench/call/bare/makeBare', [WRITING]);
  const ratios: number[] = [];
  const [own, bare]: [number[], number[]] = [[], []];
  for (let page = 0; own.length < PIECES; page++) {
    for (const asked of await piecesAsAsked(page)) {
      const product = () => worker.call('PUT', `/bench/ask/${clinic}`, asked);
      const plain = () => worker.call('PUT', '/bench/call/bare/writeBare', [asked]);
      // Which of the two is first changes, so that a drift of the machine meets both.
      const isFirst = own.length % 2 === 0;
      const first = await msOf(isFirst ? product : plain);
      const second = await msOf(isFirst ? plain : product);
      own.push(isFirst ? first : second);
      bare.push(isFirst ? second : first);
      ratios.push((own.at(-1) ?? 0) / (bare.at(-1) ?? 1));
    }
  }
  const { median } = quantiles(ratios);
  const longest = quantiles(own).q90 / quantiles(bare).q90;
  figure('a piece of a copy against a bare object, median', `${median.toFixed(2)}x`, '<= 1.50x', median <= 1.5);
  figure('the longest tenth of them', `${longest.toFixed(2)}x`, '<= 1.50x', longest <= 1.5);
  expect(median).toBeLessThanOrEqual(1.5);
  expect(longest).toBeLessThanOrEqual(1.5);
}, 600_000);
