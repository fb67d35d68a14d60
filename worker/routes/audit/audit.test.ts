import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { bearer } from '#tests/support/consent';
import { logInColleague } from '#tests/support/login';
import { recordActs } from '#tests/support/unit/trail';
import {
  ACTS,
  accountId,
  GRACE,
  grace,
  makeAct,
  NOON,
  otherId,
  TOM,
  trailAdmin,
} from '#tests/support/unit/trail-admin';
import { sealTrails } from '#worker/domain/audit/seal';
import type { Merchant } from '#worker/domain/merchants/session';
import { inviteStaff } from '#worker/domain/merchants/staff-invitation';
import { changeStaff } from '#worker/domain/merchants/team';

describe('GET /api/audit', () => {
  it('shows an administrator the events, newest first, one sentence each', async () => {
    const { base, view } = await trailAdmin();
    const { events, unsealed, weekly_mail } = await view();
    expect(events.slice(0, 3).map(({ seq, sentence }) => [seq - base, sentence])).toEqual([
      [3, `${grace?.email} asked for the void of 1042, $184.00, reason: Billed twice.`],
      [2, 'A payer paid 1042, $184.00.'],
      [1, `${grace?.email} issued a payment link for invoice 77.`],
    ]);
    expect(events[0]).toMatchObject({
      group: 'money',
      person: `user:${GRACE}`,
      subject: { kind: 'void', id: 'r1' },
      at: new Date(NOON).toISOString(),
      session: 's1',
      address: 'ip1',
    });
    expect(events[0]?.changes).toContainEqual({ field: 'reason', before: null, after: 'Billed twice' });
    expect([unsealed, weekly_mail]).toEqual([base + 3, false]);
  });

  it('names an invited person, and lists only the fields that a change set', async () => {
    const { app, view } = await trailAdmin();
    await logInColleague(app);
    const inviter = { accountId, userId: GRACE };
    await inviteStaff(app.deps, accountId, inviter, { email: 'lee@clinic.example', name: '', role: 'desk' });
    expect(await changeStaff(app.deps, inviter as Merchant, TOM, { isConfirmed: true })).toMatchObject({
      kind: 'done',
    });
    const { events } = await view();
    const [confirmEvent] = events.filter(({ action }) => action === 'staff.changed');
    expect(confirmEvent?.sentence).toMatch(/ confirmed .* as /);
    expect(confirmEvent?.changes.map(({ field }) => field)).toEqual(['confirmed']);
    const [inviteEvent] = events.filter(({ action }) => action === 'staff.invited');
    expect(inviteEvent?.sentence).toMatch(/ invited lee@clinic\.example as front desk\.$/);
  });

  it('admits only staff who may audit, and lets only administrators turn on the weekly mail', async () => {
    const { app, token } = await trailAdmin();
    const colleague = await logInColleague(app);
    const calls = [
      ['GET', '/api/audit'],
      ['GET', '/api/audit?format=csv'],
      ['GET', '/api/audit/head'],
      ['PUT', '/api/audit/mail'],
    ] as const;
    const json = { 'content-type': 'application/json' };
    for (const [method, path] of calls) {
      const body = method === 'PUT' ? { body: '{"weekly":true}' } : {};
      const answer = await app.request(path, { method, ...body, headers: { ...bearer(colleague), ...json } });
      expect([path, answer.status, await answer.json()]).toMatchObject([
        path,
        403,
        {
          error: {
            message: expect.stringMatching(
              method === 'PUT'
                ? /^Only an administrator of this account may do this\. Ask .+ \(administrator\)\.$/
                : /^Only a bookkeeper or an administrator of this account may do this\. Ask .+ \(administrator\)\.$/,
            ),
          },
        },
      ]);
      expect((await app.request(path, { method, ...body, headers: json })).status, path).toBe(401);
      expect((await app.request(path, { method, ...body, headers: { ...bearer(token), ...json } })).status).toBe(200);
    }
  });

  it('returns no events of another account, whatever the query', async () => {
    const { app, view, get } = await trailAdmin();
    await recordActs(app.deps, [
      { ...makeAct({ action: 'footer.changed', subject: ['invoice', '77'] }), accountId: otherId },
      { ...makeAct({ action: 'article.published', subject: ['post', '77'] }), accountId: 0 },
    ]);
    for (const query of ['', '?about=77', '?group=settings', '?group=content', '?from=2026-03-04', '?size=100']) {
      const { events } = await view(query);
      expect(events.filter(({ action }) => ['footer.changed', 'article.published'].includes(action))).toEqual([]);
    }
    expect(await (await get('/api/audit?format=csv')).text()).not.toMatch(/footer\.changed|article\.published/);
  });

  it('filters by kind, person, subject and the days of the clinic’s time zone', async () => {
    const { app, numbers } = await trailAdmin();
    await recordActs(app.deps, [
      makeAct({ action: 'session.opened', at: NOON, actor: { id: String(TOM) } }),
      // 11:30 p.m. in Indianapolis, the next day in UTC.
      makeAct({ action: 'batch-close.claimed', at: Date.UTC(2026, 2, 5, 4, 30) }),
    ]);
    expect(await numbers('?group=money')).toEqual([3, 2]);
    expect(await numbers('?group=access&from=2026-03-04&to=2026-03-04')).toContain(4);
    expect(await numbers(`?person=user:${TOM}`)).toEqual([4]);
    expect(await numbers('?person=payer')).toEqual([2]);
    expect(await numbers('?about=p1')).toEqual([2]);
    expect(await numbers('?about=nothing')).toEqual([]);
    expect(await numbers('?from=2026-03-04&to=2026-03-04')).toEqual([5, 4, 3]);
    expect(await numbers('?from=2026-03-05')).toEqual([]);
    expect(await numbers('?to=2026-03-02')).toEqual([1]);
    expect(await numbers('?from=2026-03-03&to=2026-03-03')).toEqual([2]);
    expect(await numbers('?group=money&person=payer&from=&about=')).toEqual([2]);
  });

  it('shows invoice numbers, and finds the events of an invoice by its number', async () => {
    const { base, view, numbers } = await trailAdmin();
    await env.DB.prepare(
      `INSERT INTO invoices (account_id, invoice_id, number, status, currency, modified_at, read_at)
       VALUES (?, '77', 'INV-77', 'open', 'USD', 0, 0)`,
    )
      .bind(accountId)
      .run();
    const { events } = await view();
    expect(events.find(({ seq }) => seq === base + 1)?.sentence).toMatch(/issued a payment link for invoice INV-77\.$/);
    expect(await numbers('?about=inv-77')).toEqual([1]);
  });

  it('is paged, and stops searching after a few thousand events that do not match', async () => {
    const { app, base, view } = await trailAdmin();
    await recordActs(
      app.deps,
      Array.from({ length: 7 }, () => makeAct({ action: 'link.issued' })),
    );
    const first = await view('?size=4');
    expect(first.events.map(({ seq }) => seq - base)).toEqual([10, 9, 8, 7]);
    const second = await view(`?size=4&before=${first.next}`);
    expect(second.events.map(({ seq }) => seq - base)).toEqual([6, 5, 4, 3]);

    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5200)
       INSERT INTO audit_events SELECT account_id, seq + i, id || i, at, actor_kind, actor_id, session_id, ip_hash, action,
         subject_kind, subject_id, before, after, request_id FROM n, audit_events WHERE account_id = ?1 AND seq = ?2`,
    )
      .bind(accountId, base + 10)
      .run();
    const emptyPage = await view('?group=money');
    expect(emptyPage.events).toEqual([]);
    expect(emptyPage.looked_back_to).toBe(new Date(NOON).toISOString());
    const nextPage = await view(`?group=money&before=${emptyPage.next}`);
    expect(nextPage.events.map(({ seq }) => seq - base)).toEqual([3, 2]);
    expect(nextPage.looked_back_to).toBeNull();
  });

  it('rejects an invalid query and names the field', async () => {
    const { get } = await trailAdmin();
    for (const [query, field] of [
      ['group=everything', 'group'],
      ['person=nobody', 'person'],
      ['person=user:1%27--', 'person'],
      ['from=2026-02-30', 'from'],
      ['to=yesterday', 'to'],
      ['before=0', 'before'],
      ['before=1e99', 'before'],
      ['size=101', 'size'],
      ['format=xml', 'format'],
      ['group=money&group=links', 'group'],
      [`about=${'x'.repeat(200)}`, 'about'],
    ]) {
      const answer = await get(`/api/audit?${query}`);
      expect([query, answer.status, await answer.json()]).toMatchObject([query, 422, { error: { fields: [field] } }]);
    }
  });

  it('shows the stored values of an event that the product did not write', async () => {
    const { base, view } = await trailAdmin();
    await env.DB.prepare(
      `INSERT INTO audit_events VALUES (?, ?, 'x', ?, 'ghost', '', '', '', 'made.up', 'thing', '1', 'no json', '[1]', '')`,
    )
      .bind(accountId, base + 4, NOON)
      .run();
    const [event] = (await view()).events;
    expect(event).toMatchObject({ sentence: 'ghost did made.up to 1.', group: '', person: 'ghost' });
    expect(event?.changes).toContainEqual({ field: 'unreadable', before: 'no json', after: '[1]' });
  });
});

describe('GET /api/audit?format=csv', () => {
  it('exports all filtered events with their hash and seal, and escapes cells that start a formula', async () => {
    const acts = [
      ...ACTS,
      makeAct({ action: 'footer.changed', actor: { id: '=1+1' }, subject: ['account', '@SUM(A1)'] }),
    ];
    const { app, get, base } = await trailAdmin(acts);
    await sealTrails(app.deps);
    const answer = await get('/api/audit?format=csv&from=2026-03-03');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit-trail-2026-03-04.csv"');
    const [titles = '', ...lines] = (await answer.text()).trim().split('\r\n');
    expect(titles).toContain('"Number","Time","What happened"');
    expect(titles).toContain('"Hash of the event","Seal from","Seal to","Hash before it","Hash of the seal"');
    const newLines = lines.filter((line) => Number(/^"(\d+)"/.exec(line)?.[1]) > base);
    expect(newLines.map((line) => Number(/^"(\d+)"/.exec(line)?.[1]) - base)).toEqual([4, 3, 2]);
    expect(newLines[0]).toContain(`"'=1+1"`);
    expect(newLines[0]).toContain('"2026-03-04 12:00"');
    expect(newLines[0]).toContain(`"'@SUM(A1)"`);
    expect(newLines[1]).toContain('asked for the void of 1042, $184.00, reason: Billed twice."');
    for (const line of newLines) expect(line).toMatch(/"[0-9a-f]{64}","1","\d+","[0-9a-f]{64}","[0-9a-f]{64}"$/);
  });
});
