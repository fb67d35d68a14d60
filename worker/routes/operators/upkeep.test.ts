import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type {
  OperatorBuilds,
  OperatorDumps,
  OperatorHealth,
  OperatorMails,
  OperatorOverview,
  Runbook,
} from '#shared/contracts/operators/operator';
import type { Jar } from '#tests/support/consent';
import { makeOperatorApp, type OperatorApp } from '#tests/support/operator/operator';
import { saveHeartbeats } from '#worker/data/alerts/health';
import { queueMail } from '#worker/data/mail/outbox';
import { endDump, planDump } from '#worker/data/operate/dumps';
import { siteBuilds } from '#worker/data/schema/content';
import { clinics } from '#worker/data/schema/directory';
import { alerts } from '#worker/data/schema/monitoring';
import { outbox } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { register } from '#worker/domain/alerts/register';
import { watchDumps } from '#worker/domain/operate/dump';
import { blocksOf } from '#worker/domain/operators/runbook';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const readJson = async <T>(app: OperatorApp, jar: Jar, path: string): Promise<T> =>
  (await (await app.ask(jar, 'GET', path)).json()) as T;

describe('the operator’s list of emails', () => {
  it('contains every email that the overview counts, but no recipient', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    const { installation } = app.deps;
    const { now } = app.clock;
    for (let n = 0; n < 30; n++) {
      const mail = { id: `i-${n}`, kind: 'invitation', recipient: 'a@b.example' } as const;
      await queueMail(installation, mail, now - 10 * MINUTE);
    }
    await installation.update(outbox).set({ state: 'failed' }).where(eq(outbox.id, 'i-1'));
    await installation
      .update(outbox)
      .set({ state: 'sent', sentAt: now, delivery: 'bounced' })
      .where(eq(outbox.id, 'i-2'));
    const mails = await readJson<OperatorMails>(app, jar, 'mails');
    const { mails: counted, problems } = await readJson<OperatorOverview>(app, jar, 'overview');
    expect(mails.items).toHaveLength(29);
    expect(counted.due + counted.failed).toBe(29);
    expect(problems).toContainEqual({ kind: 'mails-unsent', n: 29 });
    expect(mails.sent).toEqual([
      { id: 'i-2', kind: 'invitation', at: new Date(now).toISOString(), delivery: 'bounced' },
    ]);
    expect(JSON.stringify(mails)).not.toContain('a@b.example');
  });

  it('contains an email after its first failed attempt, and counts new ones separately', async () => {
    const mailer = { send: () => Promise.reject(new Error('500')) };
    const app = makeOperatorApp({ mailer: mailer as unknown as Deps['mailer'] });
    const { jar } = await app.enrol();
    const mail = { kind: 'address-known', recipient: 'a@b.example' } as const;
    for (const id of ['tried', 'new']) await queueMail(app.deps.installation, { ...mail, id }, app.clock.now);
    expect((await app.ask(jar, 'POST', 'mails/again', { body: { clinic: 0, mail: 'tried' } })).status).toBe(200);
    const mails = await readJson<OperatorMails>(app, jar, 'mails');
    expect(mails).toMatchObject({ due: 1, failed: 0, waiting: 1, items: [{ id: 'tried', tries: 1 }] });
    expect(Date.parse(mails.items[0]?.next_at ?? '')).toBeGreaterThan(app.clock.now);
    const { problems } = await readJson<OperatorOverview>(app, jar, 'overview');
    expect(problems).toContainEqual({ kind: 'mails-unsent', n: 1 });
  });

  it('shows a clinic’s own emails, and returns 404 for an erased or unknown clinic', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    const base = { name: 'Maple', foundedAt: 1, heardAt: app.clock.now };
    const [active, erasedClinic] = await app.deps.installation
      .insert(clinics)
      .values([
        { ...base, accountId: 9001 },
        { ...base, accountId: null, erasedAt: 5 },
      ])
      .returning();
    await queueMail(app.deps.installation, { id: 'i', kind: 'invitation', recipient: 'a@b.example' }, 1);
    const clinicMail = { id: 'r', kind: 'sign-up', recipient: 'a@b.example', accountId: 9001 } as const;
    await queueMail(app.deps.clinics.db(active?.number ?? 0), clinicMail, 1);
    const mails = await readJson<OperatorMails>(app, jar, `mails?clinic=${active?.number}`);
    expect(mails).toMatchObject({ name: 'Maple', items: [{ id: 'r' }], sent: [] });
    for (const clinic of [erasedClinic?.number, 99_999])
      expect((await app.ask(jar, 'GET', `mails?clinic=${clinic}`)).status).toBe(404);
    expect((await app.ask(jar, 'GET', 'mails?clinic=x')).status).toBe(422);
  });
});

it('the operator’s list of builds shows the newest first, each with its reason', async () => {
  const app = makeOperatorApp();
  const { jar } = await app.enrol();
  const build = { revision: 3, step: '', progress: 100 };
  await app.deps.installation.insert(siteBuilds).values([
    { ...build, id: 'old', state: 'built', requestedAt: 5, reportedAt: 6 },
    { ...build, id: 'new', state: 'failed', reason: 'No disk.', requestedAt: 7, reportedAt: 8 },
  ]);
  const { builds } = await readJson<OperatorBuilds>(app, jar, 'builds');
  expect(builds.map(({ id, state, reason }) => [id, state, reason])).toEqual([
    ['new', 'failed', 'No disk.'],
    ['old', 'built', ''],
  ]);
});

it('the operator’s health screen shows each check, and failing jobs first', async () => {
  const app = makeOperatorApp();
  const { jar } = await app.enrol();
  const { now } = app.clock;
  const heartbeat = { startedAt: now - 40, finishedAt: now };
  await saveHeartbeats(app.deps.installation, [
    { ...heartbeat, job: 'mails', ok: true },
    { ...heartbeat, job: 'seals', ok: false },
  ]);
  const health = await readJson<OperatorHealth>(app, jar, 'health');
  expect(health.status).toBe('pass');
  expect(health.checks.map(({ name, status }) => [name, status])).toEqual([
    ['d1', 'pass'],
    ['cron', 'warn'],
    ['outbox', 'pass'],
    ['unknown_payments', 'pass'],
    ['crm', 'pass'],
    ['gateway', 'pass'],
  ]);
  expect(health.jobs.map(({ job, is_ok, ms }) => [job, is_ok, ms])).toEqual([
    ['seals', false, 40],
    ['mails', true, 40],
  ]);
});

it('the overview counts each database without a dump, regardless of its age', async () => {
  const app = makeOperatorApp();
  const { jar } = await app.enrol();
  const { installation } = app.deps;
  const { now } = app.clock;
  const readDumpCounts = async () => (await readJson<OperatorOverview>(app, jar, 'overview')).dumps;
  await planDump(installation, now + HOUR, now);
  const base = { name: 'Maple', foundedAt: now - MINUTE, heardAt: now };
  await installation.insert(clinics).values([
    { ...base, accountId: 1 },
    { ...base, accountId: null, erasedAt: 5 },
    { ...base, accountId: null },
  ]);
  await watchDumps(app.deps);
  expect(await readDumpCounts()).toEqual({ oldest_at: null, missing: 2 });
  const { jobs } = await readJson<OperatorHealth>(app, jar, 'health');
  expect(jobs.map(({ job }) => job)).not.toContain('backup');
  const oldest_at = new Date(now - HOUR).toISOString();
  await installation
    .update(clinics)
    .set({ dumpedAt: now - HOUR })
    .where(eq(clinics.accountId, 1));
  expect(await readDumpCounts()).toEqual({ oldest_at, missing: 1 });
  await endDump(installation, { dueAt: now + HOUR, at: now, month: '2026-03' });
  expect(await readDumpCounts()).toEqual({ oldest_at, missing: 0 });
});

describe('the runbook for operators', () => {
  it('has a section for every alert, from which the alert shows the first steps', async () => {
    const app = makeOperatorApp();
    const { jar } = await app.enrol();
    const { sections, intro } = await readJson<Runbook>(app, jar, 'runbook');
    expect(sections.map(({ event }) => event).sort()).toEqual(Object.keys(register).sort());
    expect(intro.some(({ kind }) => kind === 'list')).toBe(true);
    const { now } = app.clock;
    const row = { subject: '', severity: 'now', firstAt: now, lastAt: now, n: 1 } as const;
    for (const event of Object.keys(register))
      await app.deps.installation.insert(alerts).values({ ...row, key: event, event });
    for (const { event, steps } of (await readJson<OperatorOverview>(app, jar, 'overview')).alerts) {
      const texts = sections.find((section) => section.event === event)?.blocks.flatMap(({ rows }) => rows.flat());
      expect(steps.length, event).toBeGreaterThan(0);
      expect(texts, event).toEqual(expect.arrayContaining(steps));
      expect(steps.join(' '), event).toMatch(/\*\*[Dd]o\*\*/);
    }
  });

  it('is parsed into steps, lists and tables', () => {
    const text = '**It means** a\nb.\n**Do** c:\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\nd\n\n- e\n- f';
    expect(blocksOf(text)).toEqual([
      { kind: 'text', rows: [['**It means** a b.']] },
      { kind: 'text', rows: [['**Do** c:']] },
      {
        kind: 'table',
        rows: [
          ['x', 'y'],
          ['1', '2'],
        ],
      },
      { kind: 'text', rows: [['d']] },
      { kind: 'list', rows: [['e'], ['f']] },
    ]);
  });
});

it('the restore page gets the dumps of the installation or of an existing clinic', async () => {
  const app = makeOperatorApp();
  const { jar } = await app.enrol();
  const base = { name: 'Maple', foundedAt: 1, heardAt: app.clock.now };
  const [active, restoringClinic] = await app.deps.installation
    .insert(clinics)
    .values([
      { ...base, accountId: 9001 },
      { ...base, accountId: null },
    ])
    .returning();
  const readDumps = (number: number | string = '') => readJson<OperatorDumps>(app, jar, `clinics/${number}/dumps`);
  expect(await readDumps(0)).toMatchObject({ account: 0, dumps: [] });
  expect(await readDumps(active?.number)).toMatchObject({ account: 9001, name: 'Maple', state: 'ok', dumps: [] });
  expect(await readDumps(restoringClinic?.number)).toMatchObject({ account: null, state: 'restoring', dumps: [] });
  expect((await readDumps(active?.number)).is_first_due).toBe(false);
  await app.deps.installation.update(clinics).set({ foundedAt: app.clock.now - HOUR });
  expect((await readDumps(active?.number)).is_first_due).toBe(true);
  for (const number of ['99999', 'x', '00'])
    expect((await app.ask(jar, 'GET', `clinics/${number}/dumps`)).status, number).toBe(404);
});
