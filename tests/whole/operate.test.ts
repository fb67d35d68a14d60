import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { until, useProduct } from '#tests/support/product/product';
import { unpack } from '#worker/files/zip';

const product = useProduct();
const folder = mkdtempSync(path.join(tmpdir(), 'tillway-operate-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs one of the operator's programs on the product of this run. */
const run = (script: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [`scripts/${script}.ts`, ...args], {
    env: { ...process.env, PORT: new URL(product.appUrl).port, TILLWAY_STATE: product.state },
    maxBuffer: 50_000_000,
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
const clinic = (...args: string[]) => run('clinic', ...args);

async function payInvoice() {
  const bill = await product.makeLink();
  expect((await product.pay(bill.payId, await product.form())).status).toBe(200);
  return bill;
}

describe('the operator’s commands', () => {
  it('list the clinics and show the state of one', async () => {
    await product.runSchedule();
    const { code, text } = await clinic('list');
    expect(text).toMatch(/clinics, \d+ behind migration \d+\n$/);
    expect(code).toBe(0);
    expect(text).toContain(String(product.account.hubId));
    const inspected = await clinic('inspect', String(product.account.hubId));
    expect(inspected.text).toContain(`of account ${product.account.hubId}`);
    expect(inspected.text).toContain('CRM: connected');
    expect(inspected.text).toContain('online payments: on');
  });

  it('export a clinic to a file only its owner can read, without ids or tokens that grant access', async () => {
    const { payId, number } = await payInvoice();
    await product.runSchedule();
    const file = path.join(folder, 'export.zip');
    const { hubId } = product.account;
    const exported = await clinic('export', String(hubId), '--file', file);
    expect(exported.text).toContain('rows and files in');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await clinic('export', String(hubId), '--file', file)).text).toContain('already exists');
    const bytes = new Uint8Array(readFileSync(file));
    let text = '';
    for await (const { name, content } of unpack(bytes)) text += `${name}\n${Buffer.from(content).toString()}`;
    expect(text).toContain(number);
    expect(text).toContain('manifest.json');
    expect(text).toMatch(new RegExp(`signatures/${hubId}/\\w+\\.png`));
    expect(text).not.toContain(payId);
    for (const name of ['"receipt_id"', '"pay_id"', '"access_token"', '"refresh_token"'])
      expect(text).not.toContain(`${name}:`);

    const restored = await clinic('restore', String(hubId), '--file', file);
    expect(restored).toMatchObject({ code: 1, text: expect.stringContaining('has a clinic with records') });
    expect((await clinic('restore', '4711', '--file', file)).text).toContain(`The archive is of account ${hubId}`);
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    writeFileSync(file, bytes, { mode: 0o600 });
    expect((await clinic('restore', '4711', '--file', file)).text).toMatch(
      /not one that this installation signed|not an archive/,
    );
    writeFileSync(file, bytes.slice(0, -1));
    expect((await clinic('restore', '4711', '--file', file)).text).toContain(
      'is not an archive, or its end is missing',
    );
  });

  it('erase no clinic without its exact name', async () => {
    const { hubId } = product.account;
    expect((await clinic('erase', String(hubId), '--name', 'Elm')).text).toContain('Give this name to erase it');
    await payInvoice();
    expect((await clinic('list')).text).toContain(String(hubId));
    expect((await clinic('inspect', '999999999')).text).toContain('Not found');
    // Only an interrupted restore can be abandoned.
    expect((await clinic('abandon', '1')).text).toContain('Not found');
    expect((await clinic('list')).text).toContain(String(hubId));
  });

  it('show and erase a person in all databases', async () => {
    const { email } = await payInvoice();
    await until(
      () => product.mailTo(email),
      (mails) => mails.length > 0,
    );
    const result = await run('privacy', '--email', email.toUpperCase());
    expect(result.text).toMatch(/names, address, receipt address, signature: 1 row, 0 may be erased now/);
    expect((await run('privacy', '--email', email, '--erase')).text).toMatch(/^\d+ erased at the local product/m);
    expect((await run('privacy', '--email', 'nobody@payer.example')).text).toContain('Nothing is stored about');
  });

  it('verify every audit trail', async () => {
    await product.runSchedule();
    const { code, text } = await run('audit-verify');
    expect(text).toContain(`account ${product.account.hubId}: verified to`);
    expect(text).toContain('account 0: ');
    expect(text).toMatch(/accounts, nothing is wrong\n$/);
    expect(code).toBe(0);
  });
});
