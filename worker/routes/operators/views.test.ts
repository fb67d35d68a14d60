import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OperatorClinic, OperatorClinics, OperatorOverview } from '#shared/contracts/operators/operator';
import type { Jar } from '#tests/support/consent';
import { makeOperatorApp, type OperatorApp } from '#tests/support/operator/operator';
import { insertRow } from '#tests/support/unit/insert-row';
import { queueMail } from '#worker/data/mail/outbox';
import { blockNewClaims, liftErasureBlock } from '#worker/data/operate/erase';
import { auditEvents } from '#worker/data/schema/audit';
import { clinics } from '#worker/data/schema/directory';
import { alerts } from '#worker/data/schema/monitoring';
import { accounts, outbox } from '#worker/data/schema/schema';
import { storeAlerts } from '#worker/domain/alerts/store-alerts';

const MINUTE = 60_000;
type Clinic = Partial<typeof clinics.$inferInsert>;

/** Adds clinics to the directory, as if they had just reported. */
async function addClinics({ deps, clock }: OperatorApp, rows: Clinic[]): Promise<void> {
  for (const [index, row] of rows.entries()) {
    const base = { accountId: 7000 + index, name: `Clinic ${index}`, foundedAt: 1, heardAt: clock.now, schema: 17 };
    await deps.installation.insert(clinics).values({ ...base, ...row });
  }
}

async function addAlert({ deps, clock }: OperatorApp, key: string): Promise<void> {
  const [firstAt, lastAt] = [clock.now - 20 * MINUTE, clock.now];
  await deps.installation
    .insert(alerts)
    .values({ key, event: 'payment-needs-person', subject: 'clinic 3', severity: 'now', firstAt, lastAt, n: 4 });
}

const readJson = async <T>(app: OperatorApp, jar: Jar, path: string): Promise<T> =>
  (await (await app.ask(jar, 'GET', path)).json()) as T;

const eventsOf = async ({ deps }: OperatorApp, action: string) =>
  deps.installation.select().from(auditEvents).where(eq(auditEvents.action, action));

describe('the operator overview', () => {
  it('summarizes the directory, alerts, emails, vendors and newest events without a recipient’s address', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    const { now } = app.clock;
    await addClinics(app, [
      { needsHuman: 2, stuckSince: now - 3 * MINUTE, lastPaymentAt: now - MINUTE, bytes: 1000 },
      { failingSince: now, schema: 16, bytes: 500, heardAt: now - 10 * MINUTE },
      { heardAt: now - 20 * MINUTE },
      { erasedAt: now, accountId: null, needsHuman: 5 },
    ]);
    await addAlert(app, 'needs-human');
    await queueMail(app.deps.installation, { id: 'invitation-1', kind: 'invitation', recipient: 'a@b.example' }, now);
    app.clock.now += 10 * MINUTE;
    const overview = await readJson<OperatorOverview>(app, jar, 'overview');
    expect(overview).toMatchObject({
      payments: { state: 'open', by: null },
      sums: { clinics: 3, waiting: 1, needs_human: 2, stuck: 1, failing: 1, silent: 1, behind: 1, bytes: 1500 },
      alerts: [{ key: 'needs-human', event: 'payment-needs-person', n: 4, acked_at: null }],
      mails: { due: 1, failed: 0, items: [{ id: 'invitation-1', kind: 'invitation', state: 'due' }] },
      vendors: [
        { name: 'HubSpot', is_measured: false, heard_at: null },
        { name: 'Clearent', heard_at: new Date(now - MINUTE).toISOString() },
        { name: 'Mail service', is_measured: true, heard_at: null },
        { name: 'Build service', heard_at: null },
      ],
    });
    expect(overview.trail[0]?.sentence).toBe('Olga Reyes (operator) logged in.');
    expect(JSON.stringify(overview)).not.toContain('a@b.example');
    const details = { text: 'x', page: 'x', events: 'payment-unknown' };
    await queueMail(app.deps.installation, { id: 'alert-1', kind: 'alert', recipient: 'a@b.example', details }, 1);
    const { mails } = await readJson<OperatorOverview>(app, jar, 'overview');
    expect(mails.items.map(({ kind, about }) => [kind, about])).toEqual([
      ['alert', 'payment-unknown'],
      ['invitation', ''],
    ]);
  });

  it('counts the delivery states of sent emails only', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    const deliveries = ['delivered', 'bounced', null, 'delivered', 'accepted', 'complained'];
    for (const [index, delivery] of deliveries.entries()) {
      await queueMail(
        app.deps.installation,
        { id: `told-${index}`, kind: 'invitation', recipient: 'a@b.example' },
        index + 1,
      );
      await app.deps.installation
        .update(outbox)
        .set({ state: 'sent', sentAt: index + 1, delivery: delivery as 'delivered' | null })
        .where(eq(outbox.id, `told-${index}`));
    }
    await queueMail(app.deps.installation, { id: 'owed', kind: 'invitation', recipient: 'a@b.example' }, 1);
    const { mails } = await readJson<OperatorOverview>(app, jar, 'overview');
    expect(mails.told).toEqual([
      { delivery: 'accepted', n: 2 },
      { delivery: 'delivered', n: 2 },
      { delivery: 'bounced', n: 1 },
      { delivery: 'complained', n: 1 },
    ]);
  });
});

it('an alert shows its meaning, its clinics and the recorded facts', async () => {
  const app = makeOperatorApp();
  const { jar } = await app.enrol();
  await addClinics(app, [{ name: 'Maple Street Dental', accountId: 4711 }, { accountId: 4712 }]);
  const { raised, now } = app.deps;
  for (const accountId of [4711, 4999])
    raised.push({
      event: 'payment-contradicted',
      fields: { accountId, attemptId: 'a1', state: 'approved', since: now() - MINUTE },
      at: now(),
    });
  await storeAlerts(app.deps);
  const [alert] = (await readJson<OperatorOverview>(app, jar, 'overview')).alerts;
  expect(alert).toMatchObject({
    says: 'The card provider shows a payment differently from our books.',
    accounts: 2,
    clinics: [{ account: 4711, name: 'Maple Street Dental' }],
    facts: [
      { name: 'attemptId', value: 'a1' },
      { name: 'state', value: 'approved' },
    ],
  });
});

describe('the operator’s list of clinics', () => {
  it('is paged with problem clinics first, and can be searched by name, number or account', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    await addClinics(app, [
      ...Array.from({ length: 60 }, () => ({})),
      { name: 'Zahnarzt 100%', accountId: 424_242, needsHuman: 1 },
    ]);
    const first = await readJson<OperatorClinics>(app, jar, 'clinics');
    expect(first).toMatchObject({ total: 61, page: 1, pages: 2 });
    expect(first.clinics).toHaveLength(50);
    expect(first.clinics[0]).toMatchObject({ name: 'Zahnarzt 100%', state: 'waiting', needs_human: 1 });
    expect((await readJson<OperatorClinics>(app, jar, 'clinics?page=2')).clinics).toHaveLength(11);
    const find = async (query: string) => (await readJson<OperatorClinics>(app, jar, `clinics?${query}`)).total;
    expect(await find('q=zahn')).toBe(1);
    expect(await find(`q=${encodeURIComponent('100%')}`)).toBe(1);
    expect(await find('q=%25')).toBe(1);
    expect(await find('q=4242')).toBe(1);
    expect(await find('filter=waiting')).toBe(1);
    expect(await find('filter=silent')).toBe(0);
    expect((await app.ask(jar, 'GET', 'clinics?filter=rich')).status).toBe(422);
    expect((await app.ask(jar, 'GET', 'clinics?page=0')).status).toBe(422);
  });

  it.each([
    ['erased', { erasedAt: 5, accountId: null, needsHuman: 1 }],
    ['silent', { heardAt: 5, needsHuman: 1 }],
    ['waiting', { needsHuman: 1, stuckSince: 5 }],
    ['stuck', { stuckSince: 5, failingSince: 5 }],
    ['failing', { failingSince: 5 }],
    ['ok', {}],
  ])('shows the most severe state of a clinic: %s', async (state, row) => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    await addClinics(app, [row]);
    const [{ number } = { number: 0 }] = await app.deps.installation.select().from(clinics);
    expect((await readJson<OperatorClinic>(app, jar, `clinics/${number}`)).clinic.state).toBe(state);
  });
});

it('a clinic counts as silent only after 25 minutes, and never while it is being restored', async () => {
  const app = makeOperatorApp();
  const { jar } = await app.enrol();
  await addClinics(app, [{}, { accountId: null, name: '' }]);
  app.clock.now += 24 * MINUTE;
  const countSilent = async () => (await readJson<OperatorOverview>(app, jar, 'overview')).sums.silent;
  expect(await countSilent()).toBe(0);
  app.clock.now += 2 * MINUTE;
  expect(await countSilent()).toBe(1);
  expect((await readJson<OperatorClinics>(app, jar, 'clinics?filter=silent')).total).toBe(1);
});

describe('the operator’s view of a clinic', () => {
  it('shows the contact, and still loads when the clinic’s own records cannot be read', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    await addClinics(app, [{ accountId: 9001 }]);
    await app.deps.clinics.db(1).insert(accounts).values({
      accountId: 9001,
      name: 'Maple Street Dental',
      domain: 'maple.example',
      timeZone: 'America/Denver',
      phone: '317-555-0100',
      email: 'desk@maple.example',
      connectedAt: 1,
    });
    const [{ number } = { number: 0 }] = await app.deps.installation.select().from(clinics);
    const contact = { name: 'Maple Street Dental', phone: '317-555-0100', email: 'desk@maple.example' };
    expect(await readJson<OperatorClinic>(app, jar, `clinics/${number}`)).toMatchObject({
      contact,
      undecided: [],
      mails: { due: 0, failed: 0 },
      crm_failure: null,
    });
    // A reason that is still stored after the CRM responds again is not a failure.
    const sync = { account_id: 9001, failing_since: null, failure: 'expired' };
    await insertRow(env.DB, 'crm_sync_states', sync);
    expect(await readJson<OperatorClinic>(app, jar, `clinics/${number}`)).toMatchObject({ crm_failure: null });
    await env.DB.prepare('UPDATE crm_sync_states SET failing_since = 5').run();
    expect(await readJson<OperatorClinic>(app, jar, `clinics/${number}`)).toMatchObject({ crm_failure: 'expired' });
    app.deps.clinics = { ...app.deps.clinics, db: () => ({}) as ReturnType<typeof app.deps.clinics.db> };
    const viewWithoutRecords = await readJson<OperatorClinic>(app, jar, `clinics/${number}`);
    expect(viewWithoutRecords).toMatchObject({ clinic: { number }, contact: null, mails: null });
    for (const path of ['clinics/0', 'clinics/99999', 'clinics/1e3', 'clinics/x'])
      expect((await app.ask(jar, 'GET', path)).status, path).toBe(404);
  });
});

it('a clinic lists its own alerts, and its payments and reversals with an unknown outcome', async () => {
  const app = makeOperatorApp();
  const { jar } = await app.enrol();
  await addClinics(app, [{ accountId: 9001 }, { accountId: 9002 }]);
  for (const accountId of [9001, 9002])
    app.deps.raised.push({ event: 'payment-contradicted', fields: { accountId }, at: 5 });
  app.deps.raised.push({ event: 'claim-failed', fields: { accountId: 9002 }, at: 5 });
  await storeAlerts(app.deps);
  const payment = (id: string, state: string, account_id = 9001) => {
    const row = { id, account_id, invoice_id: id, invoice_number: `INV-${id}`, dedupe_key: id, receipt_id: id };
    return insertRow(env.DB, 'payment_attempts', { ...row, currency: 'USD', state, created_at: 5 });
  };
  await payment('p1', 'unknown');
  await payment('p2', 'approved');
  await payment('p3', 'unknown', 9002);
  const reversal = { id: 'r1', account_id: 9001, attempt_id: 'p2', request_key: 'r1', state: 'unknown', created_at: 7 };
  await insertRow(env.DB, 'reversals', reversal);
  const [clinic] = await app.deps.installation.select().from(clinics).where(eq(clinics.accountId, 9001));
  const view = await readJson<OperatorClinic>(app, jar, `clinics/${clinic?.number}`);
  expect(view.alerts).toMatchObject([{ event: 'payment-contradicted', acked_by: '' }]);
  const iso = (at: number) => new Date(at).toISOString();
  expect(view.undecided).toEqual([
    { what: 'payment', state: 'unknown', n: 1, since: iso(5), items: [{ id: 'p1', invoice_number: 'INV-p1' }] },
    { what: 'reversal', state: 'unknown', n: 1, since: iso(7), items: [{ id: 'r1', invoice_number: 'INV-p2' }] },
  ]);
});

describe('operator actions', () => {
  it('acknowledge an alert once', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    await addAlert(app, 'needs-human');
    const post = () => app.ask(jar, 'POST', 'alerts/acknowledgement', { body: { key: 'needs-human' } });
    expect((await post()).status).toBe(200);
    expect((await post()).status).toBe(409);
    const { alerts: openAlerts } = await readJson<OperatorOverview>(app, jar, 'overview');
    expect(openAlerts).toMatchObject([{ acked_by: 'Olga Reyes', acked_at: new Date(app.clock.now).toISOString() }]);
    expect(await eventsOf(app, 'alert.acknowledged')).toHaveLength(1);
    const { trail } = await readJson<OperatorOverview>(app, jar, 'overview');
    expect(trail[0]?.sentence).toBe('Olga Reyes (operator) acknowledged the alert needs-human.');
  });

  it('wake an existing clinic, but not an erased or unknown one', async () => {
    const wokenClinics: number[] = [];
    const app = makeOperatorApp();
    app.deps.clinics = { ...app.deps.clinics, wake: async (number) => void wokenClinics.push(number) };
    const { jar } = await app.enrol();
    await addClinics(app, [{}, { erasedAt: 5, accountId: null }]);
    const [active, erasedClinic] = await app.deps.installation.select().from(clinics);
    const wake = async (number: number | undefined) => (await app.ask(jar, 'POST', `clinics/${number}/wake`)).status;
    expect(await wake(active?.number)).toBe(200);
    expect(await wake(erasedClinic?.number)).toBe(404);
    expect(await wake(99_999)).toBe(404);
    expect(wokenClinics).toEqual([active?.number]);
    expect(await eventsOf(app, 'clinic.woken')).toMatchObject([{ subjectId: String(active?.number) }]);
  });

  it('make only those tasks due that failures have postponed, when they wake a clinic', async () => {
    const app = makeOperatorApp();
    let wakeCount = 0;
    app.deps.clinics = { ...app.deps.clinics, wake: async () => void wakeCount++ };
    const { jar } = await app.enrol();
    const { now } = app.clock;
    const postponedAt = now + 10 * MINUTE;
    await addClinics(app, [{ accountId: 9001 }]);
    const [clinic] = await app.deps.installation.select().from(clinics);
    const account = { accountId: 9001, name: 'Maple', domain: 'maple.example', timeZone: 'UTC', connectedAt: 1 };
    await app.deps.clinics.db(1).insert(accounts).values(account);
    const payment = (id: string, account_id: number, state: string) => {
      const row = { id, account_id, invoice_id: id, invoice_number: id, dedupe_key: id, receipt_id: id };
      return insertRow(env.DB, 'payment_attempts', { ...row, currency: 'USD', state, next_check_at: postponedAt });
    };
    await payment('unknown', 9001, 'unknown');
    await payment('released', 9001, 'not_charged');
    await payment('judged', 9001, 'needs_human');
    await payment('elsewhere', 9002, 'unknown');
    const reversal = { id: 'lost', account_id: 9001, attempt_id: 'judged', request_key: 'lost', state: 'unknown' };
    await insertRow(env.DB, 'reversals', { ...reversal, next_check_at: postponedAt });
    const marks = { account_id: 9001, next_at: postponedAt };
    await insertRow(env.DB, 'reconciliation_cursors', { ...marks, method: 'card', failing_since: now });
    await insertRow(env.DB, 'reconciliation_cursors', { ...marks, method: 'ach' });
    expect((await app.ask(jar, 'POST', `clinics/${clinic?.number}/wake`)).status).toBe(200);
    const dueIds = async (sql: string) => (await env.DB.prepare(sql).bind(now).all<{ id: string }>()).results;
    expect(await dueIds('SELECT id FROM payment_attempts WHERE next_check_at <= ?')).toEqual([{ id: 'unknown' }]);
    expect(await dueIds('SELECT id FROM reversals WHERE next_check_at <= ?')).toEqual([]);
    expect(await dueIds('SELECT method AS id FROM reconciliation_cursors WHERE next_at <= ?')).toEqual([
      { id: 'card' },
    ]);
    expect(wakeCount).toBe(1);
    app.deps.clinics = { ...app.deps.clinics, db: () => ({}) as ReturnType<typeof app.deps.clinics.db> };
    expect((await app.ask(jar, 'POST', `clinics/${clinic?.number}/wake`)).status).toBe(200);
    expect(wakeCount).toBe(2);
  });

  it('resend a failed email, but not one that was sent or belongs to another clinic', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    const { installation } = app.deps;
    const mail = { id: 'address-known-7', kind: 'address-known', recipient: 'ada@clinic.example' } as const;
    await queueMail(installation, mail, app.clock.now);
    await installation.update(outbox).set({ state: 'failed', tries: 12, sentAt: 1 });
    await addClinics(app, [{}]);
    const [clinic] = await installation.select().from(clinics);
    const resend = async (number = 0) =>
      (await app.ask(jar, 'POST', 'mails/again', { body: { clinic: number, mail: mail.id } })).status;
    expect(await resend(clinic?.number)).toBe(409);
    expect(await resend(99_999)).toBe(404);
    expect(app.mails).toEqual([]);
    expect(await resend()).toBe(200);
    expect(app.mails.map(({ to }) => to)).toEqual(['ada@clinic.example']);
    expect(await resend()).toBe(409);
    expect(app.mails).toHaveLength(1);
    expect(await eventsOf(app, 'mail.sent-again')).toMatchObject([
      { subjectId: mail.id, after: '{"kind":"address-known"}' },
    ]);
  });

  it('start a build when a builder is configured', async () => {
    const requests: unknown[] = [];
    const builder = {
      isConfigured: true,
      request: async (build: unknown) => {
        requests.push(build);
        return 'asked' as const;
      },
    };
    const app = makeOperatorApp({ builder });
    const { jar } = await app.enrol();
    expect((await app.ask(jar, 'POST', 'builds')).status).toBe(200);
    expect(requests).toHaveLength(1);
    const appWithoutBuilder = makeOperatorApp({ builder: { ...builder, isConfigured: false } });
    expect((await appWithoutBuilder.ask(jar, 'POST', 'builds')).status).toBe(409);
    expect(await eventsOf(app, 'build.started')).toHaveLength(1);
  });

  it('pause and resume payments with a reason, for every isolate', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    const otherApp = makeOperatorApp();
    const put = (state: string, reason = 'The gateway is down.') =>
      app.ask(jar, 'PUT', 'payments', { body: { state, reason } });
    expect((await put('open')).status).toBe(409);
    expect((await put('paused', 'why')).status).toBe(422);
    expect((await put('closed')).status).toBe(422);
    expect((await put('paused')).status).toBe(200);
    expect((await put('paused')).status).toBe(409);
    expect(app.deps.payments.isPaused()).toBe(true);
    await otherApp.deps.payments.refresh();
    expect(otherApp.deps.payments.isPaused()).toBe(true);
    const { payments } = await readJson<OperatorOverview>(app, jar, 'overview');
    const byOperator = { by: 'operator', operator: 'Olga Reyes' };
    expect(payments).toMatchObject({ state: 'paused', ...byOperator, reason: 'The gateway is down.' });
    const { trail } = await readJson<OperatorOverview>(app, jar, 'overview');
    expect(trail[0]?.sentence).toBe('Olga Reyes (operator) paused all online payments, reason: The gateway is down.');
    expect((await put('open', 'It is back')).status).toBe(200);
    expect(app.deps.payments.isPaused()).toBe(false);
    expect(await eventsOf(app, 'payments.paused')).toHaveLength(1);
    expect(await eventsOf(app, 'payments.resumed')).toMatchObject([{ after: '{"reason":"It is back"}' }]);
  });
});

describe('the closing of a clinic by the operator', () => {
  /** An operator with one clinic, which uses the database of the unit tests. */
  async function makeOperatorOfMaple() {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    await addClinics(app, [{ accountId: 9200, name: 'Maple Street Dental' }]);
    const [{ number } = { number: 0 }] = await app.deps.installation.select().from(clinics);
    const db = app.deps.clinics.db(number);
    onTestFinished(() => liftErasureBlock(db));
    const close = async (name: string, clinic = number) => {
      const answer = await app.ask(jar, 'POST', `clinics/${clinic}/closing`, { body: { name } });
      return { status: answer.status, text: await answer.text() };
    };
    const viewClinic = () => readJson<OperatorClinic>(app, jar, `clinics/${number}`);
    return { app, number, db, close, show: viewClinic };
  }

  it('requires the clinic’s name, and an existing clinic', async () => {
    const { app, number, close, show } = await makeOperatorOfMaple();
    const refusal = await close('Maple');
    expect(refusal.status).toBe(422);
    expect(refusal.text).toContain('Type “Maple Street Dental”.');
    expect((await close('Maple Street Dental', number + 1)).status).toBe(404);
    expect((await show()).clinic.state).toBe('ok');
    expect(await eventsOf(app, 'clinic.erased')).toEqual([]);
  });

  it('is refused with the reasons while money may move', async () => {
    const { app, close, show } = await makeOperatorOfMaple();
    await insertRow(env.DB, 'payment_attempts', {
      id: 'sent-1',
      receipt_id: 'sent-1',
      account_id: 9200,
      invoice_id: '1',
      state: 'sent',
      created_at: app.clock.now,
    });
    expect(await close('Maple Street Dental')).toMatchObject({
      status: 409,
      text: expect.stringContaining('The clinic cannot be closed now: 1 payments are sent'),
    });
    expect((await show()).clinic.state).toBe('ok');
  });

  it('shows until when an erasure blocks payments', async () => {
    const { app, db, show } = await makeOperatorOfMaple();
    await db.insert(accounts).values({
      accountId: 9200,
      name: 'Maple Street Dental',
      domain: 'maple.example',
      timeZone: 'America/Denver',
      connectedAt: 1,
      closesAt: Date.UTC(2026, 11, 12, 9),
    });
    await insertRow(env.DB, 'closings', {
      account_id: 9200,
      requested_by: 1,
      requested_at: 1,
      try_at: 1,
      stood: '["x"]',
    });
    expect(await show()).toMatchObject({
      closing: { closes_on: '2026-12-12', asked_by: '', stood: ['x'] },
      erasing_until: null,
    });
    await blockNewClaims(db, app.clock.now + MINUTE);
    expect((await show()).erasing_until).toBe(new Date(app.clock.now + MINUTE).toISOString());
    app.clock.now += MINUTE;
    expect((await show()).erasing_until).toBeNull();
  });
});
