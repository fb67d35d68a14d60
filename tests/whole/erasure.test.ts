import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { terminals } from '#sandbox/credentials';
import { bearer } from '#tests/support/consent';
import { until, useProduct } from '#tests/support/product/product';
import { startProduct } from '#tests/support/product/product-process';
import { unlessErased } from '#worker/clinic/no-such-clinic';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { logIn } from './merchant.ts';

// The operator's program exports, erases and restores a clinic, in its own product. After an erasure, the test searches
// the files of the databases and buckets byte by byte.

const running = await startProduct();
const product = useProduct(running);
const folder = mkdtempSync(path.join(tmpdir(), 'tillway-erasure-'));
afterAll(async () => {
  await running.stop();
  rmSync(folder, { recursive: true });
});

const { hubId, name, users } = product.account;
const MINUTE = 60_000;

const clinic = (...args: string[]) =>
  promisify(execFile)(process.execPath, ['scripts/clinic.ts', ...args], {
    env: { ...process.env, PORT: new URL(product.appUrl).port, TILLWAY_STATE: product.state },
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
const erase = () => clinic('erase', String(hubId), '--name', name);

/** Files of the databases and buckets. */
const filesOf = (folderOf: string) =>
  readdirSync(path.join(product.state, 'v3', folderOf), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Files of the objects with their sizes, without the index and the empty log that exist while an object is open. */
const writtenFiles = () =>
  filesOf('do')
    .map((file) => [file, statSync(file).size] as const)
    .filter(([file, size]) => size > 0 && !file.endsWith('-shm'));

/**
 * Copies the part of a database file that statements can reach. D1 does not overwrite freed pages, and its log keeps
 * older pages for a while; the search of the clinic's own object reads the files unchanged.
 */
function reachable(file: string): string {
  const copy = path.join(folder, 'copy.sqlite');
  const vacuumed = path.join(folder, 'vacuumed.sqlite');
  rmSync(vacuumed, { force: true });
  for (const end of ['', '-wal']) if (existsSync(`${file}${end}`)) copyFileSync(`${file}${end}`, `${copy}${end}`);
  const db = new DatabaseSync(copy);
  db.exec(`VACUUM INTO '${vacuumed}'`);
  db.close();
  for (const end of ['', '-wal', '-shm']) rmSync(`${copy}${end}`, { force: true });
  return vacuumed;
}

type Traces = Record<string, string | Buffer>;

/** Finds these traces in the files, by file name. */
const search = (traces: Traces, files: string[]): string[] =>
  files.flatMap((file) => {
    const bytes = readFileSync(file);
    return Object.entries(traces).flatMap(([label, trace]) => (bytes.includes(trace) ? [`${label} in ${file}`] : []));
  });

/** Keys of the buckets' files, with their paths. */
function storedFiles(): { key: string; file: string }[] {
  const metadata = filesOf('r2').filter((file) => /[0-9a-f]{64}\.sqlite$/.test(file));
  const blobs = filesOf('r2').filter((file) => file.includes('/blobs/'));
  const rows = metadata.flatMap((file) => {
    const db = new DatabaseSync(reachable(file));
    const rows = db.prepare('SELECT key, blob_id FROM _mf_objects').all() as { key: string; blob_id: string | null }[];
    db.close();
    return rows;
  });
  return rows.map(({ key, blob_id }) => ({ key, file: blobs.find((file) => blob_id && file.endsWith(blob_id)) ?? '' }));
}

const asInteger = (n: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(n);
  return bytes;
};

async function payFor(count: number) {
  const links = [];
  for (let n = 0; n < count; n++) {
    const bill = await product.makeLink();
    expect((await product.pay(bill.payId, await product.form())).status).toBe(200);
    links.push(bill);
  }
  return links;
}

/** Makes a charge whose response is lost, while the gateway's queries fail. */
async function payLost() {
  const bill = await product.makeLink();
  await product.fault('gateway', 'drop-after');
  await product.fault('gateway', '500', { times: 1000 });
  expect((await product.pay(bill.payId, await product.form())).status).toBe(202);
  return bill;
}

it('exports a clinic, erases it completely, and restores it with payments off until it is reconciled', async () => {
  const { jar, token } = await logIn(product.appUrl, 0);
  const [bill] = await payFor(3);
  if (!bill) throw new Error('nothing was paid');
  const deps = product.deps();
  const attempt = await deps.db.query.paymentAttempts.findFirst({ where: (t, { eq }) => eq(t.payId, bill.payId) });
  const receiptId = attempt?.receiptId ?? '';

  const lostPayment = await product.withAlarmsHeld(async () => {
    const lostBill = await payLost();
    expect(await erase()).toMatchObject({ code: 1, text: expect.stringContaining('1 payments are sent, unknown') });
    await product.clearFaults();
    return lostBill;
  });
  const isOnlyOpenAtTheGateway = ({ text }: { text: string }) => /erased: \d batches are open\.$/m.test(text);
  await until(() => product.runSchedule().then(erase), isOnlyOpenAtTheGateway, 60_000);
  await closeBatches(token);

  const file = path.join(folder, 'clinic.zip');
  expect(await clinic('export', String(hubId), '--file', file)).toMatchObject({ code: 0 });
  const traces: Traces = {
    account: String(hubId),
    'account as an integer': asInteger(hubId),
    name,
    domain: product.account.domain,
    staff: users[0]?.email ?? '',
    payer: bill.email,
    surname: 'Núñez',
    'payer of the lost charge': lostPayment.email,
    number: bill.number,
    payId: bill.payId,
    receiptId,
  };
  const objects = filesOf('do').filter((file) => statSync(file).size > 0);
  const ownObjects = objects.filter((file) => search({ payer: bill.email }, [file]).length > 0);
  expect(ownObjects.length).toBeGreaterThan(0);

  const erased = await until(erase, ({ code }) => code === 0, 60_000);
  const prefix = /under (kept\/\d+\/)/.exec(erased.text)?.[1] ?? '';
  expect(erased.text).toContain('with 4 pictures');

  // The object: its unchanged files, including logs.
  const { name: _, surname: __, ...uniqueTraces } = traces;
  expect(search(uniqueTraces, filesOf('do'))).toEqual([]);
  expect(
    search(
      traces,
      filesOf('do').filter((file) => ownObjects.some((object) => file.startsWith(object.slice(0, -4)))),
    ),
  ).toEqual([]);
  // The installation's database: the directory row contains neither account nor name.
  const [installation = ''] = filesOf('d1').filter((file) => /[0-9a-f]{64}\.sqlite$/.test(file));
  expect(search(traces, [reachable(installation)])).toEqual([]);
  // The buckets: only the expected files remain, without payers' data.
  const stored = storedFiles();
  const index = `kept/of-${hubId}.json`;
  const keptFiles = stored.filter(({ key }) => key.startsWith(prefix) || key.startsWith('anchors/') || key === index);
  expect(keptFiles.length).toBeGreaterThan(10);
  // A nightly dump still contains everything; the bucket's lifecycle rule deletes it.
  const dumped = stored.filter(({ key }) => /^(nightly|monthly)\//.test(key));
  const otherFiles = stored.filter((entry) => !keptFiles.includes(entry) && !dumped.includes(entry));
  expect(otherFiles.filter(({ key }) => key.includes(String(hubId)))).toEqual([]);
  expect(
    search(
      traces,
      otherFiles.map((entry) => entry.file),
    ),
  ).toEqual([]);
  const { payer, surname, payId, receiptId: receipt } = traces;
  const payers = { payer, surname, payId, receipt, lost: lostPayment.email } as Traces;
  expect(
    search(
      payers,
      keptFiles.map((entry) => entry.file),
    ),
  ).toEqual([]);

  // Formerly valid links and tokens open and create nothing.
  const filesBefore = writtenFiles();
  const statusOf = async (address: string, headers: Record<string, string> = {}) =>
    (await fetch(`${product.appUrl}${address}`, { redirect: 'manual', headers })).status;
  for (const address of [`/make/payment/${bill.payId}`, `/api/invoices/${bill.payId}`, `/receipt/${receiptId}`])
    expect(await statusOf(address), address).toBe(404);
  expect((await product.pay(bill.payId, await product.form())).status).toBe(404);
  expect(await statusOf('/api/invoices', bearer(token))).toBe(401);
  expect(await statusOf('/api/refresh-access-token', jar.header)).toBe(401);
  expect(writtenFiles()).toEqual(filesBefore);

  await restoreFromFile(file);
  await closeOnSchedule();
}, 400_000);

async function closeBatches(token: string): Promise<void> {
  for (const { terminalId } of terminals) {
    const address = `${product.appUrl}/api/terminals/${terminalId}/batches/close`;
    // A reader without a payment has nothing to close.
    expect([200, 409]).toContain((await fetch(address, { method: 'PUT', headers: bearer(token) })).status);
  }
}

/** An administrator schedules the account's closing; on that day its own alarm erases it. */
async function closeOnSchedule(): Promise<void> {
  const { token } = await logIn(product.appUrl, 0);
  await closeBatches(token);
  const address = `${product.appUrl}/api/account/closing`;
  const headers = { ...bearer(token), 'content-type': 'application/json' };
  const { latest } = (await (await fetch(address, { headers })).json()) as { latest: string };
  const clinicDeps = await product.clinic(hubId);
  const { invoiceId } = await product.makeInvoice();
  const bill = { payId: (await issuePayLink(clinicDeps, hubId, invoiceId))?.payId ?? '' };
  const body = JSON.stringify({ closes_on: latest, business: name });
  expect((await fetch(address, { method: 'PUT', headers, body })).status).toBe(200);
  for (const answer of [
    await fetch(`${product.appUrl}/make/payment/${bill.payId}`),
    await fetch(`${product.appUrl}/api/invoices/${bill.payId}`),
    await product.pay(bill.payId, await product.form()),
  ]) {
    expect([answer.status, answer.headers.get('retry-after')], answer.url).toEqual([503, null]);
    expect(await answer.text()).toMatch(/no longer takes payments here\.\s*You have not been charged\./);
  }
  // Makes the closing due, and its pending settlements due for another check.
  const MAKE_DUE = "UPDATE closings SET try_at = 1 WHERE stood <> '[]' OR try_at > 1";
  const listClinics = async () => {
    await unlessErased(clinicDeps.db.$client.prepare(MAKE_DUE).run());
    return (await clinic('list')).text;
  };
  await until(listClinics, (text) => !text.includes(String(hubId)), 120_000);
  expect(storedFiles().map(({ key }) => key)).toContain(`kept/${clinicDeps.clinic}/manifest.json`);
  expect((await fetch(`${product.appUrl}/make/payment/${bill.payId}`)).status).toBe(404);
}

async function restoreFromFile(file: string): Promise<void> {
  const restored = await clinic('restore', String(hubId), '--file', file);
  expect(restored).toMatchObject({ code: 0, text: expect.stringContaining('Payments are paused') });
  await logIn(product.appUrl, 0);
  const clinicDeps = await product.clinic(hubId);
  const unpaid = await product.makeInvoice();
  const link = await issuePayLink(clinicDeps, hubId, unpaid.invoiceId);
  const pay = async () => (await product.pay(link?.payId ?? '', await product.form())).status;
  expect(await pay()).toBe(503);
  expect((await clinic('inspect', String(hubId))).text).toContain('online payments: paused');

  // Moves everything 15 minutes back: the card provider may show a charge ten minutes late.
  await clinicDeps.db.$client.batch([
    clinicDeps.db.$client.prepare(`UPDATE reconciliation_cursors SET read_until = read_until - ${15 * MINUTE}`),
    clinicDeps.db.$client.prepare(`UPDATE accounts SET restored_at = restored_at - ${15 * MINUTE}`),
  ]);
  const inspect = () => clinic('inspect', String(hubId));
  const on = await until(inspect, ({ text }) => text.includes('online payments: on'), 60_000);
  expect(on.text).toContain('payments: approved 4;');
  expect(await pay()).toBe(200);
  expect(await product.charges(unpaid.number)).toHaveLength(1);
}
