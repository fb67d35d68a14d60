import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Health } from '#shared/contracts/operators/health';
import { until, useProduct } from '#tests/support/product/product';
import { installationSql } from './expect-money.ts';

const product = useProduct();
const job = `planted-${crypto.randomUUID().slice(0, 8)}`;
afterAll(() => installationSql(product, 'DELETE FROM heartbeats WHERE job = ?', job));

type Alert = { event: string; key: string; n: number; text: string; url: string };

const secret = () => {
  const file = path.join(product.state, 'site/server/wrangler.local.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as { vars: { HEALTH_SECRET: string } }).vars.HEALTH_SECRET;
};
const health = async (headers: Record<string, string> = {}) => {
  const response = await fetch(`${product.appUrl}/api/health`, { headers });
  return { status: response.status, body: (await response.json()) as Health };
};

describe('a job that keeps failing', () => {
  it('alerts the operator once by webhook and once by mail, shows in the health, and ends when it runs', async () => {
    const at = Date.now() - 3_600_000;
    await installationSql(product, 'INSERT INTO heartbeats VALUES (?, ?, ?, 0, 0, ?)', job, at, at, at);
    const alertsOfJob = async () => {
      await product.runSchedule();
      return (await product.sandbox<Alert[]>('alerts')).filter(({ key }) => key === `job-overdue ${job}`);
    };
    const [alert] = await until(alertsOfJob, (all) => all.length > 0);
    expect(alert).toMatchObject({ event: 'job-overdue', n: 1, url: `${product.appUrl}/operator` });
    expect(alert?.text).toContain(job);
    const mails = async () => {
      await product.runSchedule();
      return (await product.mailTo('operator@tillway.example')).filter(({ text }) => text.includes(job));
    };
    const [mail] = await until(mails, (all) => all.length > 0);
    expect(mail?.text).toContain('/operator/runbook?event=job-overdue');

    const open = await until(health, ({ body }) => body.status === 'warn');
    expect([open.status, Object.keys(open.body).sort()]).toEqual([200, ['commit', 'status', 'time', 'version']]);
    const fullHealth = await health({ authorization: `Bearer ${secret()}` });
    expect(fullHealth.body.checks?.cron?.status).toBeDefined();
    expect((await health({ authorization: 'Bearer x' })).body).not.toHaveProperty('checks');

    await installationSql(product, 'UPDATE heartbeats SET ok = 1, ok_at = ? WHERE job = ?', Date.now(), job);
    const closed = async () => {
      await product.runSchedule();
      return installationSql<{ closed_as: string }>(product, 'SELECT closed_as FROM alerts WHERE subject = ?', job);
    };
    const [row] = await until(closed, ([alertRow]) => alertRow?.closed_as !== '');
    expect(row?.closed_as).toBe('over');
    expect([(await alertsOfJob()).length, (await mails()).length]).toEqual([1, 1]);
  });
});
