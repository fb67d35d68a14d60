import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { AuditHeadFile, AuditView } from '#shared/contracts/audit';
import { bearer } from '#tests/support/consent';
import { logIn, logInColleague, makeApp } from '#tests/support/login';
import { type PastAct, recordActs, tamper } from '#tests/support/unit/trail';
import { sealTrails } from '#worker/domain/audit/seal';
import { verifyTrails } from '#worker/domain/audit/verify-trails';
import { oweWeeklyMails } from '#worker/domain/audit/weekly-mails';

const [{ hubId: accountId, users }, , { hubId: otherId }] = hubs;
const [grace, tom] = users;
const DAY = 86_400_000;
/** Noon in Indianapolis. */
const NOON = Date.UTC(2026, 2, 4, 17);

const act = (more: Partial<PastAct> & Pick<PastAct, 'action'>): PastAct => ({
  ...{ accountId, at: NOON, by: { id: String(grace?.userId) } },
  ...more,
});

const VOID = { kind: 'void', number: '1042', amountCents: 18_400, currency: 'USD', reason: 'Billed twice' };

/** Three days of an account. */
const ACTS: PastAct[] = [
  act({ action: 'link.issued', subject: ['invoice', '77'], at: NOON - 2 * DAY }),
  act({
    action: 'payment.moved',
    ...{ subject: ['payment', 'p1'], by: { kind: 'payer', id: '' }, at: NOON - DAY },
    ...{ after: { state: 'approved', number: '1042', amountCents: 18_400 } },
  }),
  act({ action: 'reversal.claimed', subject: ['reversal', 'r1'], after: VOID }),
];

const lastNumber = async () =>
  Number(await env.DB.prepare('SELECT max(seq) AS n FROM audit_events WHERE hub_id = ?').bind(accountId).first('n'));

/** An administrator of an account with these acts; numbers count from the first of them, behind what a login leaves. */
async function admin(acts = ACTS) {
  const clock = { now: NOON - 3 * DAY };
  const alerts: string[] = [];
  const long = String(30 * DAY);
  // One login lasts for all of a test's weeks, so that it leaves its own events before them alone.
  const lasting = { ACCESS_TOKEN_MS: long, SESSION_MS: long, SESSION_IDLE_MS: long };
  const app = makeApp({ now: () => clock.now }, lasting);
  Object.assign(app.deps.log, { alert: (event: string) => alerts.push(event) });
  const { token } = await logIn(app, 0);
  const base = await lastNumber();
  await recordActs(app.deps, acts);
  clock.now = NOON;
  const get = (path: string) => app.request(path, { headers: bearer(token) });
  const view = async (query = '') => {
    const response = await get(`/api/audit${query}`);
    expect(response.status, query).toBe(200);
    return AuditView.parse(await response.json());
  };
  const numbers = async (query = '') => (await view(query)).events.map(({ seq }) => seq - base).filter((n) => n > 0);
  return { app, alerts, clock, token, base, get, view, numbers };
}

describe('GET /api/audit', () => {
  it('tells an administrator what was done, newest first, each in one sentence', async () => {
    const { base, view } = await admin();
    const { events, unsealed, weekly_mail } = await view();
    expect(events.slice(0, 3).map(({ seq, sentence }) => [seq - base, sentence])).toEqual([
      [3, `${grace?.email} asked for the void of 1042, $184.00, reason: Billed twice.`],
      [2, 'A payer paid 1042, $184.00.'],
      [1, `${grace?.email} issued a pay link for invoice 77.`],
    ]);
    expect(events[0]).toMatchObject({
      ...{ group: 'money', person: `user:${grace?.userId}`, subject: { kind: 'reversal', id: 'r1' } },
      ...{ at: new Date(NOON).toISOString(), session: 's1', address: 'ip1' },
    });
    expect(events[0]?.changes).toContainEqual({ field: 'reason', before: null, after: 'Billed twice' });
    expect([unsealed, weekly_mail]).toEqual([base + 3, false]);
  });

  it('is for administrators alone', async () => {
    const { app, token } = await admin();
    const colleague = await logInColleague(app);
    const asked = [
      ['GET', '/api/audit'],
      ['GET', '/api/audit?format=csv'],
      ['GET', '/api/audit/head'],
      ['PUT', '/api/audit/mail'],
    ] as const;
    const json = { 'content-type': 'application/json' };
    for (const [method, path] of asked) {
      const body = method === 'PUT' ? { body: '{"weekly":true}' } : {};
      const answer = await app.request(path, { method, ...body, headers: { ...bearer(colleague), ...json } });
      expect([path, answer.status, await answer.json()]).toMatchObject([
        path,
        403,
        { error: { message: 'Only an administrator of this account may see its audit trail.' } },
      ]);
      expect((await app.request(path, { method, ...body, headers: json })).status, path).toBe(401);
      expect((await app.request(path, { method, ...body, headers: { ...bearer(token), ...json } })).status).toBe(200);
    }
  });

  it('has no event of another account, whatever is asked for', async () => {
    const { app, view, get } = await admin();
    await recordActs(app.deps, [
      { ...act({ action: 'footer.changed', subject: ['invoice', '77'] }), accountId: otherId },
      { ...act({ action: 'article.published', subject: ['post', '77'] }), accountId: 0 },
    ]);
    for (const query of ['', '?about=77', '?group=settings', '?group=content', '?from=2026-03-04', '?size=100']) {
      const { events } = await view(query);
      expect(events.filter(({ action }) => ['footer.changed', 'article.published'].includes(action))).toEqual([]);
    }
    expect(await (await get('/api/audit?format=csv')).text()).not.toMatch(/footer\.changed|article\.published/);
  });

  it('is filtered by kind, person, subject and the days of the clinic’s place', async () => {
    const { app, numbers } = await admin();
    await recordActs(app.deps, [
      act({ action: 'session.opened', at: NOON, by: { id: String(tom?.userId) } }),
      // 11:30 in the evening in Indianapolis, the next day in UTC.
      act({ action: 'batch-close.claimed', at: Date.UTC(2026, 2, 5, 4, 30) }),
    ]);
    expect(await numbers('?group=money')).toEqual([3, 2]);
    expect(await numbers('?group=access&from=2026-03-04&to=2026-03-04')).toContain(4);
    expect(await numbers(`?person=user:${tom?.userId}`)).toEqual([4]);
    expect(await numbers('?person=payer')).toEqual([2]);
    expect(await numbers('?about=p1')).toEqual([2]);
    expect(await numbers('?about=nothing')).toEqual([]);
    expect(await numbers('?from=2026-03-04&to=2026-03-04')).toEqual([5, 4, 3]);
    expect(await numbers('?from=2026-03-05')).toEqual([]);
    expect(await numbers('?to=2026-03-02')).toEqual([1]);
    expect(await numbers('?from=2026-03-03&to=2026-03-03')).toEqual([2]);
    expect(await numbers('?group=money&person=payer&from=&about=')).toEqual([2]);
  });

  it('names invoices by their numbers, and finds by a number what was done to the invoice and its payments', async () => {
    const { base, view, numbers } = await admin();
    await env.DB.prepare(
      `INSERT INTO invoices (hub_id, invoice_id, number, status, currency, modified_at, read_at)
       VALUES (?, '77', 'INV-77', 'open', 'USD', 0, 0)`,
    )
      .bind(accountId)
      .run();
    const { events } = await view();
    expect(events.find(({ seq }) => seq === base + 1)?.sentence).toMatch(/issued a pay link for invoice INV-77\.$/);
    expect(await numbers('?about=inv-77')).toEqual([1]);
  });

  it('is turned page by page, and stops looking after some thousand events that do not match', async () => {
    const { app, base, view } = await admin();
    await recordActs(
      app.deps,
      Array.from({ length: 7 }, () => act({ action: 'link.issued' })),
    );
    const first = await view('?size=4');
    expect(first.events.map(({ seq }) => seq - base)).toEqual([10, 9, 8, 7]);
    const second = await view(`?size=4&before=${first.next}`);
    expect(second.events.map(({ seq }) => seq - base)).toEqual([6, 5, 4, 3]);

    await env.DB.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5200)
       INSERT INTO audit_events SELECT hub_id, seq + i, id || i, at, actor_kind, actor_id, session_id, ip_hash, action,
         subject_kind, subject_id, before, after, request_id FROM n, audit_events WHERE hub_id = ?1 AND seq = ?2`,
    )
      .bind(accountId, base + 10)
      .run();
    const none = await view('?group=money');
    expect(none.events).toEqual([]);
    expect(none.looked_back_to).toBe(new Date(NOON).toISOString());
    const more = await view(`?group=money&before=${none.next}`);
    expect(more.events.map(({ seq }) => seq - base)).toEqual([3, 2]);
    expect(more.looked_back_to).toBeNull();
  });

  it('refuses what cannot be asked, and names it', async () => {
    const { get } = await admin();
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

  it('shows what was written by other means as it is', async () => {
    const { base, view } = await admin();
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
  it('has all that the filters leave, each with its hash and its seal, and no cell that calculates', async () => {
    const acts = [...ACTS, act({ action: 'footer.changed', by: { id: '=1+1' }, subject: ['account', '@SUM(A1)'] })];
    const { app, get, base } = await admin(acts);
    await sealTrails(app.deps);
    const answer = await get('/api/audit?format=csv&from=2026-03-03');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="audit-trail-2026-03-04.csv"');
    const [titles = '', ...lines] = (await answer.text()).trim().split('\r\n');
    expect(titles).toContain('"Number","Time","What happened"');
    expect(titles).toContain('"Hash of the event","Seal from","Seal to","Hash before it","Hash of the seal"');
    const own = lines.filter((line) => Number(/^"(\d+)"/.exec(line)?.[1]) > base);
    expect(own.map((line) => Number(/^"(\d+)"/.exec(line)?.[1]) - base)).toEqual([4, 3, 2]);
    expect(own[0]).toContain(`"'=1+1"`);
    expect(own[0]).toContain(`"'@SUM(A1)"`);
    expect(own[1]).toContain('asked for the void of 1042, $184.00, reason: Billed twice."');
    for (const line of own) expect(line).toMatch(/"[0-9a-f]{64}","1","\d+","[0-9a-f]{64}","[0-9a-f]{64}"$/);
  });
});

describe('the verification', () => {
  it('goes to the newest seal at once, and daily over the whole chain', async () => {
    const { app, base, clock, view } = await admin();
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
    await recordActs(app.deps, [act({ action: 'link.revoked', subject: ['invoice', '77'] })]);
    expect((await view()).unsealed).toBe(1);
    await sealTrails(app.deps);
    expect((await view()).verified).toEqual({ seq: head + 1, problem: '', at: new Date(clock.now).toISOString() });
  });

  it.each([
    ['changed', (n: number) => `UPDATE audit_events SET after = '{}' WHERE seq = ${n}`, /is altered/],
    ['taken out', (n: number) => `DELETE FROM audit_events WHERE seq = ${n}`, /is missing/],
    ['cut off', (n: number) => `DELETE FROM audit_seals WHERE to_seq > ${n}`, /were verified before/],
  ])('names an event that was %s, and alerts once a day', async (_how, sqlFor, problem) => {
    const { alerts, app, base, clock, view } = await admin();
    await sealTrails(app.deps);
    await recordActs(app.deps, [act({ action: 'link.revoked', subject: ['invoice', '77'] })]);
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
  it('is a file for who keeps it elsewhere', async () => {
    const { app, base, get } = await admin();
    await sealTrails(app.deps);
    const file = AuditHeadFile.parse(await (await get('/api/audit/head')).json());
    expect(file).toMatchObject({ account: accountId, head: { seq: base + 3, count: base + 3 } });
    expect(file.how_to_verify.join(' ')).toContain('npm run audit:verify');
  });

  it('is mailed once a week to whom switched it on, behind other mails, and to nobody else', async () => {
    const { app, base, clock, token, view } = await admin();
    await sealTrails(app.deps);
    const put = (weekly: unknown) =>
      app.request('/api/audit/mail', {
        ...{ method: 'PUT', body: JSON.stringify({ weekly }) },
        headers: { ...bearer(token), 'content-type': 'application/json' },
      });
    const mails = async () =>
      (await env.DB.prepare("SELECT * FROM outbox WHERE kind = 'audit-seal'").all<Record<string, string>>()).results;
    expect((await put('yes')).status).toBe(422);
    expect(await (await put(true)).json()).toEqual({ weekly: true });
    expect((await view()).weekly_mail).toBe(true);
    await oweWeeklyMails(app.deps);
    expect(await mails()).toEqual([]);

    clock.now += 7 * DAY;
    await env.DB.prepare(
      "INSERT INTO outbox (id, kind, recipient, next_try_at, created_at) VALUES ('late', 'receipt', 'a@b.example', ?1, ?1)",
    )
      .bind(clock.now - 120_000)
      .run();
    await oweWeeklyMails(app.deps);
    expect(await mails()).toEqual([]);
    await env.DB.prepare("UPDATE outbox SET state = 'sent' WHERE id = 'late'").run();
    await Promise.all([oweWeeklyMails(app.deps), oweWeeklyMails(app.deps)]);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({ recipient: grace?.email, hub_id: accountId });
    expect(JSON.parse(mail?.details ?? '')).toMatchObject({ seq: String(base + 3), problem: '' });

    expect(await (await put(false)).json()).toEqual({ weekly: false });
    clock.now += 7 * DAY;
    await oweWeeklyMails(app.deps);
    expect(await mails()).toHaveLength(1);
  });
});
