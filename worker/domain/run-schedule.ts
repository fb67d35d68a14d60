import { listDueMail } from '#worker/data/mail/outbox';
import { listDueAttempts } from '../data/payments/attempts.ts';
import type { Deps } from '../deps.ts';
import { causeOf, type LogFields } from '../log.ts';
import { sendMail } from './mail/send.ts';
import { inquirePaymentStatus } from './payments/inquire-status.ts';

const BATCH = 50;

/** The steps of a minute, in order. */
export const STEPS: Record<string, (deps: Deps) => Promise<void>> = {
  payments: async (deps) => {
    for (const attempt of await listDueAttempts(deps.db, deps.now(), BATCH)) {
      await guarded(deps, 'status-inquiry-failed', { attemptId: attempt.id }, () =>
        inquirePaymentStatus(deps, attempt),
      );
    }
  },
  mails: async (deps) => {
    for (const { id, kind } of await listDueMail(deps.db, deps.now(), BATCH)) {
      await guarded(deps, 'mail-failed', { mailId: id, kind }, () => sendMail(deps, id));
    }
  },
  reversals: async (deps) => (await import('./refunds/inquire.ts')).reconcileReversals(deps),
  reconciliation: async (deps) => (await import('./reconciliation/run.ts')).reconcileAccounts(deps),
  'tamper-monitor': async (deps) => (await import('./tamper-monitor/watch.ts')).watchPayPage(deps),
  'site-builds': async (deps) => (await import('./content/publishing/request-build.ts')).requestBuild(deps, 'schedule'),
  retention: async (deps) => (await import('./retention/keep-periods.ts')).keepPeriods(deps),
  keys: async (deps) => (await import('./keys/reseal.ts')).resealSecrets(deps),
  refusals: async (deps) => (await import('./audit/refusals.ts')).foldRefusals(deps),
  audit: async (deps) => (await import('./audit/seal.ts')).sealTrails(deps),
  anchors: async (deps) => (await import('./audit/anchor.ts')).anchorTrails(deps),
  'audit-checks': async (deps) => (await import('./audit/check-trails.ts')).checkTrails(deps),
  troubles: async (deps) => (await import('./alerts/measure.ts')).alertClinics(deps),
  alerts: async (deps) => (await import('./alerts/run.ts')).runAlerts(deps),
};

/** Run by the cron each minute. Runs may overlap: every step claims its own row. */
export const runSchedule = (deps: Deps): Promise<void> => runJobs(deps, STEPS);

/**
 * Run these jobs in order and keep when each ran. A failure is an info line: the next minute tries again, and a job that
 * keeps failing is alerted by the heartbeats. Never throws.
 */
export async function runJobs(deps: Deps, jobs: Record<string, (deps: Deps) => Promise<void>>): Promise<void> {
  const beats = [];
  for (const [job, run] of Object.entries(jobs)) {
    const startedAt = deps.now();
    const ok = await guarded(deps, `${job}-failed`, {}, () => run(deps));
    beats.push({ job, startedAt, finishedAt: deps.now(), ok });
  }
  await (await import('./alerts/after-run.ts')).afterRun(deps, beats);
}

/** One bad row, or one bad step, must not keep the others waiting. False: it failed. */
async function guarded(deps: Deps, event: string, fields: LogFields, step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (cause) {
    deps.log.info(event, { ...fields, cause: causeOf(cause) });
    return false;
  }
}
