import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { insertRow } from '#tests/support/unit/insert-row';
import { MINUTE, makeOperator } from '#tests/support/unit/operator';
import { settle } from '#worker/domain/payments/settle';
import { acknowledgeAlert, recordRun, storeAlerts } from './store-alerts.ts';

const HOUR = 60;
const REFUSED = 'gateway-refused-our-credentials';

describe('an alert', () => {
  it('is one row and one message even if many clinics raise it at once', async () => {
    const { deps, messages, pass, rows, mails } = await makeOperator();
    for (let account = 1; account <= 30; account++) deps.log.alert(REFUSED, { accountId: account, terminalId: 'T' });
    await pass(2);
    const alertRows = await rows();
    expect([...alertRows.keys()]).toEqual([REFUSED]);
    expect(alertRows.get(REFUSED)).toMatchObject({ n: 30, accounts: 30, told_n: 30, severity: 'now' });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatchObject({ event: REFUSED, key: REFUSED, n: 30, url: 'http://localhost:8787/operator' });
    expect(messages[0]?.text).toContain('30 clinics: 1, 2, 3,');
    expect(messages[0]?.text).toContain('20 and 10 more');
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [
        'operator@tillway.example',
        'Tillway: The card provider refuses the key of a terminal, so nobody can pay with it.',
      ],
    ]);
    expect(mails[0]?.text).toContain('/operator/runbook?event=');
  });

  it('is sent again at ten times the count or for another clinic, but an hour later at the earliest', async () => {
    const { deps, messages, pass } = await makeOperator();
    const raise = (accountId: number, times: number) => {
      for (let n = 0; n < times; n++) deps.log.alert(REFUSED, { accountId });
    };
    raise(1, 1);
    await pass(1);
    raise(1, 8);
    await pass(2 * HOUR, {}, 10);
    expect(messages).toHaveLength(1);
    raise(1, 1);
    await pass(1);
    expect(messages.map(({ n }) => n)).toEqual([1, 10]);
    raise(2, 1);
    await pass(HOUR - 2, {}, 2);
    expect(messages).toHaveLength(2);
    await pass(4);
    expect(messages.map(({ n }) => n)).toEqual([1, 10, 11]);
  });

  it('closes after a day without recurrence, and opens again after that', async () => {
    const { deps, messages, pass, rows } = await makeOperator();
    deps.log.alert(REFUSED, { accountId: 1 });
    await pass(23 * HOUR, {}, HOUR);
    expect((await rows()).get(REFUSED)).toMatchObject({ closed_at: null });
    await pass(2 * HOUR, {}, HOUR);
    expect((await rows()).get(REFUSED)).toMatchObject({ closed_as: 'silent', accounts: 0 });
    deps.log.alert(REFUSED, { accountId: 1 });
    await pass(1);
    expect(messages.map(({ n }) => n)).toEqual([1, 1]);
    expect((await rows()).get(REFUSED)).toMatchObject({ closed_at: null, n: 1 });
  });

  it('is sent for a harmless event only after three occurrences within a quarter of an hour', async () => {
    const { deps, messages, pass, rows } = await makeOperator();
    for (let n = 0; n < 4; n++) {
      deps.log.alert('payment-not-started', { accountId: n });
      await pass(16);
    }
    expect(messages).toEqual([]);
    for (let n = 0; n < 3; n++) deps.log.alert('payment-not-started', { accountId: n });
    await pass(1);
    expect(messages.map(({ event, n }) => [event, n])).toEqual([['payment-not-started', 3]]);
    await pass(16);
    expect((await rows()).get('payment-not-started')).toMatchObject({ closed_as: 'silent' });
  });

  it('names the account of an unreadable clinic from the directory', async () => {
    const { deps, accountId, messages, pass } = await makeOperator();
    for (let n = 0; n < 3; n++) deps.log.alert('payment-not-started', { clinic: deps.clinic });
    await pass(1);
    expect(messages).toMatchObject([{ n: 3, text: expect.stringContaining(`clinic ${accountId};`) }]);
  });

  it('opens and closes for wrong totals of a day even if no run falls on a minute divisible by five', async () => {
    const { accountId, pass, rows } = await makeOperator();
    await pass(1);
    await insertRow(env.DB, 'daily_totals', { account_id: accountId, day: '2026-03-04', net_cents: 100 });
    await pass(30, {}, 15);
    expect((await rows()).get('daily-sums-differ')).toMatchObject({ closed_at: null, accounts: 1 });
    await env.DB.prepare('DELETE FROM daily_totals').run();
    await pass(15, {}, 15);
    expect((await rows()).get('daily-sums-differ')).toMatchObject({ closed_as: 'over' });
  });

  it('opens within a day for wrong totals of a day long ago and stays open until they agree', async () => {
    const { accountId, pass, rows } = await makeOperator();
    await pass(1);
    await insertRow(env.DB, 'daily_totals', { account_id: accountId, day: '2025-12-24', net_cents: 100 });
    await pass(24 * HOUR, {}, HOUR);
    expect((await rows()).get('daily-sums-differ')).toMatchObject({ closed_at: null, accounts: 1 });
    await pass(3 * HOUR, {}, HOUR);
    expect((await rows()).get('daily-sums-differ')).toMatchObject({ closed_at: null, accounts: 1 });
    await env.DB.prepare('DELETE FROM daily_totals').run();
    await pass(2 * HOUR, {}, HOUR);
    expect((await rows()).get('daily-sums-differ')).toMatchObject({ closed_as: 'over' });
  });

  it('is sent together with others once a day if its severity is daily', async () => {
    const { deps, messages, pass, mails } = await makeOperator();
    deps.log.alert('amount-over-maximum', { accountId: 1 });
    await pass(2);
    deps.log.alert('request-failed', { requestId: 'x' });
    deps.log.alert('secret-not-resealed', { accountId: 2 });
    await pass(23 * HOUR, {}, HOUR);
    expect(messages.map(({ event }) => event)).toEqual(['amount-over-maximum']);
    deps.log.alert('request-failed', { requestId: 'y' });
    await pass(2 * HOUR, {}, HOUR);
    expect(messages.slice(1).map(({ event, n }) => [event, n])).toEqual([['daily', 2]]);
    expect(mails.map(({ subject }) => subject).slice(1)).toEqual(['Tillway: 2 things to look at']);
  });

  it('is not emailed when it concerns email', async () => {
    const { deps, messages, pass, mails } = await makeOperator();
    deps.log.alert('mail-given-up', { mailId: 'm', kind: 'receipt' });
    await pass(2);
    expect(messages.map(({ event }) => event)).toEqual(['mail-given-up']);
    expect(mails).toEqual([]);
  });

  it('is sent later, with a notice, if twenty alerts were already sent within the hour', async () => {
    const { deps, messages, pass } = await makeOperator();
    for (let n = 10; n < 40; n++) deps.log.alert('job-overdue', { accountId: 0, job: `job-${n}` });
    // Failing jobs, so that the measured state agrees with the alerts.
    for (let n = 10; n < 40; n++)
      await insertRow(env.INSTALLATION, 'heartbeats', { job: `job-${n}`, ok: 0, ok_at: deps.now() - HOUR * MINUTE });
    await pass(HOUR - 1, {}, 1);
    expect(messages).toHaveLength(20);
    expect(messages.at(-1)).toMatchObject({
      event: 'alerts-held',
      text: expect.stringContaining('And 11 more alerts'),
    });
    await pass(5);
    expect(messages.filter(({ event }) => event === 'job-overdue')).toHaveLength(30);
  });

  it('is sent again after a failed delivery, and only once by two simultaneous runs', async () => {
    const { deps, messages, channel, pass } = await makeOperator({ ALERT_MAIL_TO: '' });
    channel.answers = 'silent';
    deps.log.alert(REFUSED, { accountId: 1 });
    await pass(3);
    channel.answers = 'sent';
    await Promise.all([pass(1), pass(1)]);
    expect(messages).toHaveLength(1);
  });

  it('is saved by the next run after the database failed', async () => {
    const { deps, rows, logs } = await makeOperator();
    const brokenDeps = {
      ...deps,
      installation: {
        $client: { prepare: () => ({ bind: () => ({}) }), batch: () => Promise.reject(new Error('gone')) },
      },
    } as unknown as typeof deps;
    deps.log.alert(REFUSED, { accountId: 1 });
    await storeAlerts(brokenDeps);
    expect(logs).toContain('alerts-not-saved');
    await storeAlerts(deps);
    expect((await rows()).get(REFUSED)).toMatchObject({ n: 1 });
  });

  it('is not sent for a problem of a request that is solved before the clinic’s next run', async () => {
    const { deps, accountId, clock, messages, pass, rows } = await makeOperator();
    // The clinic was fully checked and had no problem.
    await pass(6);
    const payment = { id: 'p', accountId, invoiceId: 'i', collection: 1, amountCents: 1, currency: 'USD' } as const;
    const base = { invoice_id: 'i', currency: 'USD', invoice_number: 'i', dedupe_key: 'i', receipt_id: 'p' };
    const row = {
      id: 'p',
      account_id: accountId,
      ...base,
      method: 'card',
      hold_until: clock.now,
      created_at: clock.now,
    };
    await insertRow(env.DB, 'payment_attempts', { ...row, state: 'needs_human' });
    deps.log.alert('payment-needs-a-person', { accountId });
    await storeAlerts(deps);
    const attempt = { ...payment, channel: 'link', method: 'card', timeZone: 'UTC' } as const;
    await settle(deps, attempt, { to: 'not_charged', from: ['needs_human'], at: clock.now });
    await pass(20);
    expect((await rows()).get('payment-needs-a-person')).toMatchObject({ closed_as: 'over' });
    expect(messages).toEqual([]);
  });

  it('is acknowledged once with an audit event, and then sent again only for another clinic', async () => {
    const { deps, messages, pass, rows } = await makeOperator();
    deps.log.alert(REFUSED, { accountId: 1 });
    await pass(1);
    expect(await acknowledgeAlert(deps, REFUSED, 'Dana')).toBe('acknowledged');
    expect(await acknowledgeAlert(deps, REFUSED, 'Dana')).toBe('not-open');
    expect(await acknowledgeAlert(deps, 'nothing', 'Dana')).toBe('not-open');
    const { results } = await env.INSTALLATION.prepare(
      "SELECT subject_id, after FROM audit_events WHERE action = 'alert.acknowledged'",
    ).all();
    expect(results).toEqual([{ subject_id: REFUSED, after: '{"by":"Dana"}' }]);
    for (let n = 0; n < 20; n++) deps.log.alert(REFUSED, { accountId: 1 });
    await pass(2 * HOUR, {}, HOUR);
    expect(messages).toHaveLength(1);
    expect((await rows()).get(REFUSED)).toMatchObject({ acked_by: 'Dana' });
    deps.log.alert(REFUSED, { accountId: 2 });
    await pass(1);
    expect(messages).toHaveLength(2);
  });
});

describe('a run of the schedule', () => {
  it('records when each job ran, and calls the dead man’s switch only if all succeeded', async () => {
    const { pass, channel, installation: deps } = await makeOperator();
    const fail = async () => Promise.reject(new Error('no'));
    await pass(1);
    expect(channel.beats).toBe(1);
    await pass(2, { planted: fail });
    expect(channel.beats).toBe(1);
    const { results } = await env.INSTALLATION.prepare(
      'SELECT job, ok, finished_at, ok_at FROM heartbeats ORDER BY job',
    ).all();
    const at = deps.now();
    expect(results).toEqual([
      { job: 'alerts', ok: 1, finished_at: at, ok_at: at },
      { job: 'audit', ok: 1, finished_at: at, ok_at: at },
      { job: 'mails', ok: 1, finished_at: at, ok_at: at },
      { job: 'planted', ok: 0, finished_at: at, ok_at: at - MINUTE },
    ]);
    await recordRun({ ...deps, installation: null as never }, []);
  });
});
