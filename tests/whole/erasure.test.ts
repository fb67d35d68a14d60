import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';
import { terminals } from '#sandbox/credentials';
import { bearer } from '#tests/support/consent';
import { until, useProduct } from '#tests/support/product/product';
import { startProduct } from '#tests/support/product/product-process';
import { issuePayLink } from '#worker/domain/pay-links/issue';
import { logIn } from './merchant.ts';

// A clinic is exported, erased and put back by the operator's program, in a product of its own: after an erasure the
// search reads the files of its databases and of its bucket, byte by byte.

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

/** Files of the databases and buckets, with what is in them. */
const filesOf = (folderOf: string) =>
  readdirSync(path.join(product.state, 'v3', folderOf), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

/** Where any of these stands in the files. */
function search(traces: Record<string, string | Buffer>, files: string[]): string[] {
  return files.flatMap((file) => {
    const bytes = readFileSync(file);
    return Object.entries(traces).flatMap(([what, trace]) =>
      bytes.includes(trace) ? [`${what} in ${path.relative(product.state, file)}`] : [],
    );
  });
}

const asInteger = (n: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(n);
  return bytes;
};

it('a clinic is exported, erased to the last byte, and put back without payments until it was reconciled', async () => {
  const { jar, token } = await logIn(product.appUrl, 0);
  const bills = [];
  for (let n = 0; n < 3; n++) {
    const bill = await product.makeLink();
    expect((await product.pay(bill.payId, await product.form())).status).toBe(200);
    bills.push(bill);
  }
  const [bill] = bills;
  if (!bill) throw new Error('nothing was paid');
  const attempt = await product
    .deps()
    .db.query.paymentAttempts.findFirst({ where: (t, { eq }) => eq(t.payId, bill.payId) });
  const receiptId = attempt?.receiptId ?? '';

  const lost = await product.makeLink();
  await product.alone(async () => {
    await product.fault('gateway', 'drop-after');
    expect((await product.pay(lost.payId, await product.form())).status).toBe(202);
    expect(await erase()).toMatchObject({ code: 1, text: expect.stringContaining('1 payments are sent, unknown') });
    await product.clearFaults();
  });
  console.log((await clinic('inspect', String(hubId))).text);
  await until(
    async () => {
      await product.runSchedule();
      return (await erase()).text;
    },
    (text) => /cannot be erased: 1 batches are open\./.test(text),
    60_000,
  );

  const file = path.join(folder, 'clinic.ndjson');
  const terminal = terminals.find(({ channel }) => channel === 'ecommerce')?.terminalId;
  const closed = await fetch(`${product.appUrl}/api/terminals/${terminal}/batches/close`, {
    method: 'PUT',
    headers: bearer(token),
  });
  console.log(closed.status, await closed.text());
  console.log(await clinic('export', String(hubId), '--file', file));
  const before = search({ account: String(hubId), payer: bill.email, integer: asInteger(hubId) }, [
    ...filesOf('do'),
    ...filesOf('d1'),
    ...filesOf('r2'),
  ]);
  console.log(before);
  const erased = await until(erase, ({ code }) => code === 0);
  console.log(erased.text);
  const objects = filesOf('do');
  console.log(objects);

  const traces = {
    account: String(hubId),
    integer: asInteger(hubId),
    name,
    domain: product.account.domain,
    staff: users[0]?.email ?? '',
    payer: bill.email,
    number: bill.number,
    payId: bill.payId,
    receiptId,
    surname: 'Núñez',
    lost: lost.email,
  };
  console.log(search(traces, [...filesOf('do'), ...filesOf('d1'), ...filesOf('r2')]));
  const get = (address: string, init: RequestInit = {}) =>
    fetch(`${product.appUrl}${address}`, { redirect: 'manual', ...init }).then(({ status }) => status);
  console.log(
    await get(`/make/payment/${bill.payId}`),
    await get(`/api/invoices/${bill.payId}`),
    await get(`/receipt/${receiptId}`),
    await get('/api/invoices', { headers: bearer(token) }),
    await get('/api/refresh-access-token', { headers: jar.header }),
  );
  console.log(filesOf('do'));
  console.log(await clinic('restore', String(hubId), '--file', file));
  console.log((await clinic('inspect', String(hubId))).text);
}, 240_000);
