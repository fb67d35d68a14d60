import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { AuditHeadFile } from '#shared/contracts/staff/audit';
import { bearer } from '#tests/support/consent';
import { recordActs, tamper } from '#tests/support/unit/trail';
import { accountId, DAY, grace, makeAct, NOON, trailAdmin } from '#tests/support/unit/trail-admin';
import { sealTrails } from '#worker/domain/audit/seal';
import { queueWeeklyMails, verifyTrails } from '#worker/domain/audit/verify-trails';

describe('the audit trail verification', () => {
  it('checks the newest seal at once, and the whole chain once a day', async () => {
    const { app, base, clock, view } = await trailAdmin();
    await sealTrails(app.deps);
    const head = base + 3;
    expect(await view()).toMatchObject({
      head: { seq: head, count: head, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      verified: { seq: head, problem: '', at: new Date(NOON).toISOString() },
      unsealed: 0,
    });
    await verifyTrails(app.deps);
    clock.now += 60_000;
    expect((await view()).verified).toEqual({ seq: head, problem: '', at: new Date(NOON).toISOString() });
    await recordActs(app.deps, [makeAct({ action: 'link.revoked', subject: ['invoice', '77'] })]);
    expect((await view()).unsealed).toBe(1);
    await sealTrails(app.deps);
    expect((await view()).verified).toEqual({ seq: head + 1, problem: '', at: new Date(clock.now).toISOString() });
  });

  it.each([
    ['changed', (n: number) => `UPDATE audit_events SET after = '{}' WHERE seq = ${n}`, /is altered/],
    ['removed', (n: number) => `DELETE FROM audit_events WHERE seq = ${n}`, /is missing/],
    ['cut off', (n: number) => `DELETE FROM audit_seals WHERE to_seq > ${n}`, /were verified before/],
  ])('names an event that was %s, and alerts once a day', async (_case, sqlFor, problem) => {
    const { alerts, app, base, clock, view } = await trailAdmin();
    await sealTrails(app.deps);
    await recordActs(app.deps, [makeAct({ action: 'link.revoked', subject: ['invoice', '77'] })]);
    await sealTrails(app.deps);
    await verifyTrails(app.deps);
    await tamper(sqlFor(base + 3));
    clock.now += DAY + 1;
    await verifyTrails(app.deps);
    await verifyTrails(app.deps);
    expect(alerts).toEqual(['audit-trail-broken']);
    expect((await view()).verified?.problem).toMatch(problem);
  });
});

describe('the newest seal', () => {
  it('is available as a file to store elsewhere', async () => {
    const { app, base, get } = await trailAdmin();
    await sealTrails(app.deps);
    const file = AuditHeadFile.parse(await (await get('/api/audit/head')).json());
    expect(file).toMatchObject({ account: accountId, head: { seq: base + 3, count: base + 3 } });
    expect(file.how_to_verify.join(' ')).toContain('npm run audit:verify');
  });

  it('is emailed once a week, after other emails, only to the person who turned it on', async () => {
    const { app, base, clock, token, view } = await trailAdmin();
    await sealTrails(app.deps);
    const put = (weekly: unknown) =>
      app.request('/api/audit/mail', {
        method: 'PUT',
        body: JSON.stringify({ weekly }),
        headers: { ...bearer(token), 'content-type': 'application/json' },
      });
    const mails = async () =>
      (await env.DB.prepare("SELECT * FROM outbox WHERE kind = 'audit-seal'").all<Record<string, string>>()).results;
    expect((await put('yes')).status).toBe(422);
    expect(await (await put(true)).json()).toEqual({ weekly: true });
    expect((await view()).weekly_mail).toBe(true);
    await queueWeeklyMails(app.deps);
    expect(await mails()).toEqual([]);

    clock.now += 7 * DAY;
    await env.DB.prepare(
      "INSERT INTO outbox (id, kind, recipient, next_try_at, created_at) VALUES ('late', 'receipt', 'a@b.example', ?1, ?1)",
    )
      .bind(clock.now - 120_000)
      .run();
    await queueWeeklyMails(app.deps);
    expect(await mails()).toEqual([]);
    await env.DB.prepare("UPDATE outbox SET state = 'sent' WHERE id = 'late'").run();
    await Promise.all([queueWeeklyMails(app.deps), queueWeeklyMails(app.deps)]);
    const [mail, ...otherMails] = await mails();
    expect(otherMails).toEqual([]);
    expect(mail).toMatchObject({ recipient: grace?.email, account_id: accountId });
    expect(JSON.parse(mail?.details ?? '')).toMatchObject({ seq: String(base + 3), problem: '' });

    expect(await (await put(false)).json()).toEqual({ weekly: false });
    clock.now += 7 * DAY;
    await queueWeeklyMails(app.deps);
    expect(await mails()).toHaveLength(1);
  });
});
