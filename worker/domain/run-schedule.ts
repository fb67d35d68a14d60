import type { InstallationJob } from '#shared/contracts/operators/operator-values';
import { listDueArticles } from '#worker/data/content/articles/articles';
import { listDueMail } from '#worker/data/mail/outbox';
import { isRestoreInProgress } from '../data/operate/restore.ts';
import { listDueAttempts } from '../data/payments/attempts.ts';
import type { Deps } from '../deps.ts';
import { causeOf, type LogFields } from '../log.ts';
import { alertClinics } from './alerts/measure.ts';
import { runAlerts } from './alerts/notify.ts';
import { recordRun } from './alerts/store-alerts.ts';
import { foldRefusals } from './audit/refusals.ts';
import { anchorTrails, sealTrails } from './audit/seal.ts';
import { checkTrails } from './audit/verify-trails.ts';
import { reportStatus, wakeSilentClinics } from './clinics/heartbeat.ts';
import { applySchedule } from './content/articles/schedule.ts';
import { requestBuild } from './content/publishing/build.ts';
import { syncAccounts } from './crm-sync/sync-accounts.ts';
import { watchAmounts } from './installments/watch-amounts.ts';
import { recordUnusedKeys } from './keys/reseal.ts';
import { makeArchives } from './leaving/archive.ts';
import { closeDueAccount, finishErasures } from './leaving/closing.ts';
import { checkMailDelivery } from './mail/delivery.ts';
import { queuePaymentNotices } from './mail/payment-notices.ts';
import { sendMail } from './mail/send.ts';
import { sendMailings } from './mailings/mailing.ts';
import { dumpDatabase, watchDumps } from './operate/dump.ts';
import { applyDueRevocations } from './pay-links/pay-link.ts';
import { registerDueHosts } from './pay-page/apple-pay.ts';
import { inquirePaymentStatus } from './payments/inquire-status.ts';
import { reconcileAccounts } from './reconciliation/reconcile-accounts.ts';
import { processApprovals } from './refunds/approvals.ts';
import { reconcileReversals } from './refunds/inquire-reversal-status.ts';
import { sendReminders } from './reminders/send.ts';
import { applyRetention } from './retention/apply-retention.ts';
import { watchPayPage } from './tamper-monitor/watch.ts';
import { writeBack } from './write-back/write.ts';

const BATCH = 50;
/** The maximum number of articles that one run publishes or unpublishes. Each takes about 16 SQL statements. */
const MAX_ARTICLES = 20;

/** A step with more work left returns the time of its next run (UTC ms). */
export type Steps = Record<string, (deps: Deps) => Promise<unknown>>;

const mails: Steps[string] = async (deps) => {
  for (const { id, kind } of await listDueMail(deps.db, deps.now(), BATCH)) {
    await runGuarded(deps, 'mail-failed', { mailId: id, kind }, () => sendMail(deps, id));
  }
};
const retention: Steps[string] = applyRetention;
const dumps: Steps[string] = dumpDatabase;
const refusals: Steps[string] = foldRefusals;
/** Seals and verifies the audit trails. */
const audit: Steps[string] = async (deps) => {
  await sealTrails(deps);
  await checkTrails(deps);
};

/** The steps of a clinic's schedule, in order; payments first. */
export const CLINIC_STEPS: Steps = {
  payments: async (deps) => {
    for (const attempt of await listDueAttempts(deps.db, deps.now(), BATCH)) {
      await runGuarded(deps, 'status-inquiry-failed', { attemptId: attempt.id }, () =>
        inquirePaymentStatus(deps, attempt),
      );
    }
  },
  mails,
  'mail-questions': checkMailDelivery,
  'apple-pay': registerDueHosts,
  revocations: applyDueRevocations,
  mailings: sendMailings,
  reminders: sendReminders,
  'payment-notices': queuePaymentNotices,
  reversals: async (deps) => {
    await processApprovals(deps);
    await reconcileReversals(deps);
  },
  reconciliation: reconcileAccounts,
  'crm-sync': syncAccounts,
  'changed-amounts': watchAmounts,
  // After the steps that read the CRM.
  'write-back': writeBack,
  retention,
  refusals,
  audit,
  dumps,
  troubles: alertClinics,
  standing: reportStatus,
  archives: makeArchives,
  // Last, because it may delete the database.
  closing: closeDueAccount,
};

/** The steps of the installation's cron, each minute. */
export const INSTALLATION_STEPS: Record<InstallationJob, Steps[string]> = {
  mails,
  'silent-clinics': wakeSilentClinics,
  erasures: finishErasures,
  'tamper-monitor': watchPayPage,
  'article-schedules': async (deps) => {
    for (const articleId of await listDueArticles(deps.db, deps.now(), MAX_ARTICLES)) {
      await runGuarded(deps, 'article-schedule-failed', { articleId }, () => applySchedule(deps, articleId));
    }
  },
  'site-builds': async (deps) => requestBuild(deps, 'schedule'),
  retention,
  keys: recordUnusedKeys,
  refusals,
  audit,
  anchors: anchorTrails,
  dumps: async (deps) => {
    await dumps(deps);
    await watchDumps(deps);
  },
  alerts: runAlerts,
};

/**
 * Runs all due work of the current clinic, or of the installation. Runs may overlap: every step claims its own rows.
 * Nothing runs during a restore, because incomplete records would be mistaken for complete ones. Returns the earliest
 * next run that a step requests (UTC ms); Infinity if there is none.
 */
export async function runSchedule(deps: Deps): Promise<number> {
  if (await isRestoreInProgress(deps.db)) return Number.POSITIVE_INFINITY;
  return runJobs(deps, deps.clinic === 0 ? INSTALLATION_STEPS : CLINIC_STEPS);
}

/**
 * Runs these jobs in order. A failure is logged and, for a clinic, raises an alert; the next run tries again. Lasting
 * failures also raise alerts through the state of the records and the heartbeats. Never throws.
 */
export async function runJobs(deps: Deps, jobs: Steps): Promise<number> {
  const heartbeats = [];
  let nextRunAt = Number.POSITIVE_INFINITY;
  for (const [job, run] of Object.entries(jobs)) {
    const startedAt = deps.now();
    const ok = await runGuarded(deps, `${job}-failed`, {}, async () => {
      const next = await run(deps);
      if (typeof next === 'number') nextRunAt = Math.min(nextRunAt, next);
    });
    if (!ok && deps.clinic !== 0) deps.log.alert('clinic-job-failing', { job, clinic: deps.clinic });
    heartbeats.push({ job, startedAt, finishedAt: deps.now(), ok });
  }
  await recordRun(deps, heartbeats);
  return nextRunAt;
}

/** Runs a step so that one bad row or step does not stop the others. False if it failed. */
async function runGuarded(
  deps: Deps,
  event: string,
  fields: LogFields,
  step: () => Promise<unknown>,
): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (cause) {
    deps.log.info(event, { ...fields, ...(deps.clinic === 0 ? {} : { clinic: deps.clinic }), cause: causeOf(cause) });
    return false;
  }
}
