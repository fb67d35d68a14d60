import { describe, expect, it } from 'vitest';
import type { OperatorClinic, OperatorClinics, OperatorOverview } from '#shared/contracts/operators/operator';
import {
  type ClinicFilter,
  clinicFilters,
  clinicGroups,
  clinicStates,
} from '#shared/contracts/operators/operator-values';
import type { Jar } from '#tests/support/consent';
import { makeOperatorApp, type OperatorApp } from '#tests/support/operator/operator';
import { saveHeartbeats } from '#worker/data/alerts/health';
import { queueMail } from '#worker/data/mail/outbox';
import { clinics } from '#worker/data/schema/directory';
import { alertAccounts, alerts } from '#worker/data/schema/monitoring';
import { installationStatus } from '#worker/domain/operators/status';

const MINUTE = 60_000;

const readJson = async <T>(app: OperatorApp, jar: Jar, path: string): Promise<T> =>
  (await (await app.ask(jar, 'GET', path)).json()) as T;

/** An installation whose schedule has just run, with an operator who is logged in. */
async function setUpOperator(settings: Record<string, unknown> = {}) {
  const app = makeOperatorApp({}, settings);
  const { jar } = await app.enrol();
  const { deps, clock } = app;
  const recordHeartbeat = () =>
    saveHeartbeats(deps.installation, [{ job: 'mails', startedAt: clock.now, finishedAt: clock.now, ok: true }]);
  await recordHeartbeat();
  let accountId = 7000;
  const addClinic = async (row: Partial<typeof clinics.$inferInsert> = {}) => {
    accountId++;
    const base = { accountId, name: `Clinic ${accountId}`, foundedAt: 1, heardAt: clock.now, schema: 17 };
    const [inserted] = await deps.installation
      .insert(clinics)
      .values({ ...base, ...row })
      .returning();
    return inserted as typeof clinics.$inferSelect;
  };
  const addAlert = async (event: string, account: number, ackedAt: number | null = null) => {
    const [firstAt, lastAt] = [clock.now - MINUTE, clock.now];
    const row = { key: event, event, subject: '', severity: 'now', firstAt, lastAt, n: 1, ackedAt } as const;
    await deps.installation.insert(alerts).values(row).onConflictDoNothing();
    await deps.installation.insert(alertAccounts).values({ key: event, account, firstAt });
  };
  const pause = async () => {
    const body = { state: 'paused', reason: 'The gateway is down.' };
    expect((await app.ask(jar, 'PUT', 'payments', { body })).status).toBe(200);
  };
  return {
    ...app,
    jar,
    beat: recordHeartbeat,
    addClinic,
    addAlert,
    pause,
    overview: () => readJson<OperatorOverview>(app, jar, 'overview'),
    list: (query = '') => readJson<OperatorClinics>(app, jar, `clinics${query && `?${query}`}`),
    clinic: (number: number) => readJson<OperatorClinic>(app, jar, `clinics/${number}`),
  };
}

type Setup = Awaited<ReturnType<typeof setUpOperator>>;

/** A clinic for each problem, some with several, and clinics without one. */
async function addClinicOfEachKind({ addClinic, addAlert, clock }: Setup): Promise<void> {
  const { now } = clock;
  const refusedClinic = await addClinic({ failingSince: now });
  await addAlert('gateway-refused-our-credentials', refusedClinic.accountId ?? 0);
  await addAlert('payment-contradicted', refusedClinic.accountId ?? 0);
  await addAlert('card-testing-suspected', (await addClinic()).accountId ?? 0);
  await addAlert('crm-grant-revoked', (await addClinic({ needsHuman: 3 })).accountId ?? 0);
  await addClinic({ needsHuman: 2, stuckSince: now - MINUTE });
  await addClinic({ stuckSince: now - MINUTE });
  await addClinic({ heardAt: now - 30 * MINUTE });
  await addClinic({ schema: 16 });
  await addClinic({ accountId: null, name: '' });
  await addClinic({ accountId: null, name: '', erasedAt: now, needsHuman: 1 });
  await addClinic();
}

describe('the counts of the operator’s overview and the lists that they link to', () => {
  it.each([['open'], ['paused']])('agree for every group of clinics while payments are %s', async (state) => {
    const setup = await setUpOperator();
    await addClinicOfEachKind(setup);
    if (state === 'paused') await setup.pause();
    const { sums } = await setup.overview();
    for (const filter of clinicFilters) {
      const listed = (await setup.list(`filter=${filter}`)).total;
      expect(filter === 'all' ? sums.clinics : sums[filter], filter).toBe(listed);
      if (filter !== 'paused') expect(listed, filter).toBeGreaterThan(0);
    }
    expect(sums.paused).toBe(state === 'paused' ? 8 : 0);
    expect(sums.trouble).toBe(state === 'paused' ? 8 : 6);
  });

  it('list a clinic under each of its problems, and in no other group', async () => {
    const setup = await setUpOperator();
    await addClinicOfEachKind(setup);
    const { clinics: allClinics } = await setup.list();
    for (const { number, problems, state, is_behind } of allClinics) {
      const groups: string[] = [];
      for (const filter of clinicFilters) {
        const { clinics: listed } = await setup.list(`filter=${filter}`);
        if (listed.some((clinic) => clinic.number === number)) groups.push(filter);
      }
      const otherBadges = [...(is_behind ? ['behind'] : []), ...(state === 'restoring' ? [state] : [])];
      const trouble = problems.length > 0 ? ['trouble', ...problems] : [];
      expect(groups.sort(), `${number}`).toEqual(['all', ...trouble, ...otherBadges].sort());
    }
  });
});

describe('the status of a clinic', () => {
  it('has the same name as a badge and as a filter', () => {
    const groups: Record<string, string> = clinicGroups;
    const states: Record<string, string> = clinicStates;
    for (const name of Object.keys(states).filter((name) => name !== 'ok')) expect(groups[name]).toBe(states[name]);
  });

  it('names every problem, worst first, and is the same in the list and on the clinic’s page', async () => {
    const setup = await setUpOperator();
    await addClinicOfEachKind(setup);
    const { clinics: rows } = await setup.list();
    expect(rows.map(({ state, problems }) => [state, ...problems])).toEqual([
      ['blocked', 'blocked', 'alerted', 'failing'],
      ['blocked', 'blocked', 'waiting'],
      ['silent', 'silent'],
      ['waiting', 'waiting', 'stuck'],
      ['stuck', 'stuck'],
      ['alerted', 'alerted'],
      ['restoring'],
      ['ok'],
      ['ok'],
    ]);
    for (const row of rows) {
      const { clinic, alerts: openAlerts } = await setup.clinic(row.number);
      expect(clinic).toEqual(row);
      if (openAlerts.length > 0) expect(clinic.state).not.toBe('ok');
    }
  });

  it('is “paused” while payments are paused for all clinics', async () => {
    const setup = await setUpOperator();
    const { number } = await setup.addClinic();
    expect((await setup.clinic(number)).clinic.state).toBe('ok');
    await setup.pause();
    expect((await setup.clinic(number)).clinic.state).toBe('paused');
  });

  it('is “paused” while the setting PAY_PAGE pauses payments', async () => {
    const setup = await setUpOperator({ PAY_PAGE: 'paused' });
    await setup.addClinic();
    expect((await setup.list()).clinics).toMatchObject([{ state: 'paused', problems: ['paused'] }]);
  });

  it('ignores closed alerts', async () => {
    const setup = await setUpOperator();
    const { number, accountId } = await setup.addClinic();
    await setup.addAlert('gateway-refused-our-credentials', accountId ?? 0);
    await setup.deps.installation.update(alerts).set({ closedAt: setup.clock.now });
    expect((await setup.clinic(number)).clinic).toMatchObject({ state: 'ok', problems: [] });
  });
});

describe('the status of the installation', () => {
  it('has no problem only when nothing needs attention', async () => {
    const setup = await setUpOperator();
    await setup.addClinic();
    expect((await setup.overview()).problems).toEqual([]);
  });

  const problems: [kind: string, cause: (setup: Setup) => Promise<unknown>][] = [
    [
      'schedule-stopped',
      async ({ clock }) => {
        clock.now += 6 * MINUTE;
      },
    ],
    ['payments-paused', ({ pause }) => pause()],
    ['alerts-open', ({ addAlert }) => addAlert('pay-page-differs', 0)],
    ['alerts-acknowledged', ({ addAlert }) => addAlert('pay-page-differs', 0, 1)],
    ['silent', ({ addClinic }) => addClinic({ heardAt: 5 })],
    ['waiting', ({ addClinic }) => addClinic({ needsHuman: 1 })],
    ['stuck', ({ addClinic }) => addClinic({ stuckSince: 5 })],
    ['failing', ({ addClinic }) => addClinic({ failingSince: 5 })],
    ['restoring', ({ addClinic }) => addClinic({ accountId: null })],
    [
      'mails-unsent',
      ({ deps, clock }) =>
        queueMail(deps.installation, { id: 'i', kind: 'invitation', recipient: 'a@b.example' }, clock.now - 9 * MINUTE),
    ],
  ];
  it.each(problems)('reports %s', async (kind, cause) => {
    const setup = await setUpOperator();
    await cause(setup);
    expect((await setup.overview()).problems).toEqual([{ kind, n: 1 }]);
  });

  it('reports a broken audit trail and a failed build', () => {
    const groups = Object.fromEntries(clinicFilters.map((name) => [name, 0])) as Record<ClinicFilter, number>;
    const noProblems = { groups, alerts: [], unsent: 0, arePaused: false, isScheduleStopped: false };
    const kinds = (isTrailBroken: boolean, hasBuildFailed: boolean) =>
      installationStatus({ ...noProblems, isTrailBroken, hasBuildFailed }).map(({ kind }) => kind);
    expect(kinds(false, false)).toEqual([]);
    expect(kinds(true, true)).toEqual(['trail-broken', 'build-failed']);
  });

  it('reports the worst problem first, and counts clinics as their list does', async () => {
    const setup = await setUpOperator();
    await addClinicOfEachKind(setup);
    await setup.pause();
    expect((await setup.overview()).problems).toEqual([
      { kind: 'payments-paused', n: 1 },
      { kind: 'alerts-open', n: 4 },
      { kind: 'blocked', n: 2 },
      { kind: 'silent', n: 1 },
      { kind: 'waiting', n: 2 },
      { kind: 'stuck', n: 2 },
      { kind: 'failing', n: 1 },
      { kind: 'restoring', n: 1 },
    ]);
  });
});
