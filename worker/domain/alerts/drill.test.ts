import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { insertRow } from '#tests/support/unit/insert-row';
import { type Jobs, MINUTE, makeOperator } from '#tests/support/unit/operator';
import { makeWorld } from '#tests/support/unit/world';
import type { AlertEvent } from './register.ts';

/** Long enough for hundreds of simulated minutes. */
const TIMEOUT_MS = 180_000;

const HOUR = 60;
const noAction = async () => undefined;

type Operator = Awaited<ReturnType<typeof makeOperator>>;
type Drill = Operator & { clinics: number[]; jobs: Jobs };
type Problem = {
  event: AlertEvent;
  /** Minutes until the problem counts. After that, it must be reported within `maxMinutes`. */
  delayMinutes: number;
  maxMinutes: number;
  plant(drill: Drill): Promise<unknown>;
  /** Ends the problem. Without it, the problem ends after `silenceMinutes` without an occurrence. */
  repair?(drill: Drill): Promise<unknown>;
  silenceMinutes?: number;
};

const runSql = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();
const forEachClinic = ({ clinics }: Drill, plant: (clinic: number) => Promise<unknown>) =>
  Promise.all(clinics.map(plant));

const addPayment = ({ clock }: Drill, account_id: number, state: string, holdMinutes: number) => {
  const id = `${state}-${account_id}`;
  const base = { invoice_id: id, currency: 'USD', invoice_number: id, dedupe_key: id, receipt_id: id, method: 'card' };
  const hold_until = clock.now + holdMinutes * MINUTE;
  return insertRow(env.DB, 'payment_attempts', { id, account_id, ...base, state, hold_until, created_at: clock.now });
};
const addReversal = async (drill: Drill, account_id: number) => {
  await addPayment(drill, account_id, 'approved', 0);
  const base = {
    account_id,
    attempt_id: `approved-${account_id}`,
    hold_until: drill.clock.now,
    created_at: drill.clock.now,
  };
  await insertRow(env.DB, 'reversals', { id: `r-${account_id}`, ...base, amount_cents: 1, state: 'needs_human' });
};
const raiseAlert =
  (event: AlertEvent) =>
  async (drill: Drill): Promise<void> =>
    void drill.clinics.map((accountId) => drill.deps.log.alert(event, { accountId }));

/** The problems in the order in which they begin, five minutes apart. Most affect every clinic. */
const problems: Problem[] = [
  {
    event: 'payment-needs-a-person',
    delayMinutes: 15,
    maxMinutes: 5,
    plant: (drill) => forEachClinic(drill, (clinic) => addPayment(drill, clinic, 'needs_human', 0)),
    repair: () => runSql("UPDATE payment_attempts SET state = 'not_charged' WHERE state = 'needs_human'"),
  },
  {
    event: 'payment-unknown',
    delayMinutes: 15,
    maxMinutes: 5,
    plant: (drill) => forEachClinic(drill, (clinic) => addPayment(drill, clinic, 'unknown', 15)),
    repair: () => runSql("UPDATE payment_attempts SET state = 'declined' WHERE state = 'unknown'"),
  },
  {
    event: 'reversal-needs-a-person',
    delayMinutes: 15,
    maxMinutes: 5,
    plant: (drill) => forEachClinic(drill, (clinic) => addReversal(drill, clinic)),
    repair: () => runSql("UPDATE reversals SET state = 'not_done'"),
  },
  {
    event: 'mail-overdue',
    delayMinutes: 5,
    maxMinutes: 5,
    plant: async (drill) => {
      drill.jobs.mails = noAction;
      await forEachClinic(drill, (account_id) =>
        insertRow(env.DB, 'outbox', {
          id: `m-${account_id}`,
          account_id,
          kind: 'sign-up',
          created_at: drill.clock.now,
        }),
      );
    },
    repair: async (drill) => {
      delete drill.jobs.mails;
    },
  },
  {
    event: 'daily-sums-differ',
    delayMinutes: 0,
    maxMinutes: 5,
    plant: (drill) =>
      forEachClinic(drill, (account_id) =>
        insertRow(env.DB, 'daily_totals', { account_id, day: '2026-03-04', net_cents: 100 }),
      ),
    repair: () => runSql('DELETE FROM daily_totals'),
  },
  {
    event: 'invoice-balances-differ',
    delayMinutes: 0,
    maxMinutes: 5,
    plant: (drill) =>
      forEachClinic(drill, async (account_id) => {
        const id = `paid-${account_id}`;
        await insertRow(env.DB, 'invoices', {
          account_id,
          invoice_id: id,
          local_status: 'paid',
          status: 'open',
          read_at: 0,
        });
        await addPayment(drill, account_id, 'paid', 0);
      }),
    repair: () => runSql("UPDATE invoices SET local_status = 'none'"),
  },
  {
    event: 'clinic-silent',
    delayMinutes: 15,
    maxMinutes: 15,
    plant: async (drill) => {
      drill.jobs.standing = noAction;
    },
    repair: async (drill) => {
      delete drill.jobs.standing;
    },
  },
  {
    event: 'audit-unsealed',
    delayMinutes: 15,
    maxMinutes: 5,
    plant: async (drill) => {
      drill.jobs.audit = noAction;
      await forEachClinic(drill, (account_id) =>
        runSql(
          `INSERT INTO audit_events SELECT ?1, 1 + max(seq), 'e', ?2, 'user', '', '', '', 'x', '', '', '', '', ''
           FROM audit_events WHERE account_id = ?1`,
          ...[account_id, drill.clock.now],
        ),
      );
    },
    repair: async (drill) => {
      delete drill.jobs.audit;
    },
  },
  {
    event: 'reconciliation-late',
    delayMinutes: 60,
    maxMinutes: 5,
    plant: (drill) =>
      forEachClinic(drill, (account_id) =>
        insertRow(env.DB, 'reconciliation_cursors', { account_id, method: 'card', failing_since: drill.clock.now }),
      ),
    repair: () => runSql('UPDATE reconciliation_cursors SET failing_since = NULL'),
  },
  {
    event: 'script-changed',
    delayMinutes: 0,
    maxMinutes: 5,
    plant: ({ clock }) =>
      insertRow(env.INSTALLATION, 'monitor_findings', { id: 'f', kind: 'script-changed', first_seen_at: clock.now }),
    repair: ({ clock }) => env.INSTALLATION.prepare('UPDATE monitor_findings SET closed_at = ?').bind(clock.now).run(),
  },
  {
    event: 'job-overdue',
    delayMinutes: 10,
    maxMinutes: 5,
    plant: async (drill) => {
      drill.jobs.planted = () => Promise.reject<undefined>(new Error('no'));
    },
    repair: async (drill) => {
      drill.jobs.planted = noAction;
    },
  },
  {
    event: 'gateway-refused-our-credentials',
    delayMinutes: 0,
    maxMinutes: 5,
    silenceMinutes: 24 * HOUR,
    plant: raiseAlert('gateway-refused-our-credentials'),
  },
  {
    event: 'payment-not-started',
    delayMinutes: 0,
    maxMinutes: 5,
    silenceMinutes: 15,
    plant: raiseAlert('payment-not-started'),
  },
];

async function makeDrill(): Promise<Drill> {
  const operator = await makeOperator();
  const otherWorlds = await Promise.all(Array.from({ length: 4 }, () => makeWorld()));
  return { ...operator, clinics: [operator, ...otherWorlds].map(({ accountId }) => accountId), jobs: {} };
}

it(
  'thirteen problems at five clinics each raise one alert on time, which closes when the problem is over',
  async () => {
    const drill = await makeDrill();
    const { clock, messages: sentMessages, pass, rows, jobs } = drill;
    const startedAt = new Map<string, number>();
    for (const { event, plant } of problems) {
      startedAt.set(event, clock.now);
      await plant(drill);
      await pass(5, jobs);
    }
    await pass(75, jobs);

    const figures = problems.map(({ event, delayMinutes, maxMinutes: limitMinutes }) => {
      const messages = sentMessages.filter((message) => message.event === event);
      const minutes = ((messages[0]?.at ?? Number.NaN) - (startedAt.get(event) ?? 0)) / MINUTE - delayMinutes;
      return { event, sent: messages.length, minutes, isInTime: minutes >= 0 && minutes <= limitMinutes };
    });
    console.log(figures.map(({ event, sent, minutes }) => `${event}: sent ${sent}, ${minutes} min late`).join('\n'));
    expect(figures.filter(({ sent, isInTime }) => sent !== 1 || !isInTime)).toEqual([]);
    expect(sentMessages).toHaveLength(problems.length);
    // Of the thirteen, two belong to the installation and one is already over.
    const affected = [...(await rows()).values()].map(({ accounts }) => accounts);
    expect(affected.filter((n) => n === drill.clinics.length)).toHaveLength(10);

    for (const { repair } of problems) await repair?.(drill);
    await pass(6, jobs);
    const listOpenAlerts = async () => [...(await rows()).values()].filter(({ closed_at }) => closed_at === null);
    expect((await listOpenAlerts()).map(({ event }) => event)).toEqual(['gateway-refused-our-credentials']);
    await pass(24 * HOUR, jobs, 30);
    expect(await listOpenAlerts()).toEqual([]);
    expect(sentMessages).toHaveLength(problems.length);
  },
  TIMEOUT_MS,
);

it(
  'a quiet day at five clinics raises no alert',
  async () => {
    const { messages: sentMessages, pass, rows, mails } = await makeDrill();
    await pass(24 * HOUR, {}, 10);
    expect([sentMessages, mails, [...(await rows()).keys()]]).toEqual([[], [], []]);
  },
  TIMEOUT_MS,
);
