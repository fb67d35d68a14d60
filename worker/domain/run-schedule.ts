import { listDueMail } from '#worker/data/mail/outbox';
import { isUnderWay } from '../data/operate/restore.ts';
import { listDueAttempts } from '../data/payments/attempts.ts';
import type { Deps } from '../deps.ts';
import { causeOf, type LogFields } from '../log.ts';
import { sendMail } from './mail/send.ts';
import { inquirePaymentStatus } from './payments/inquire-status.ts';

const BATCH = 50;
/** Articles that a turn publishes or takes off: each is a version with its files and search words, about 16 statements. */
const ARTICLES = 20;

/** A step that has more to do than it did answers when it wants to go on (UTC ms). */
export type Steps = Record<string, (deps: Deps) => Promise<unknown>>;

const mails: Steps[string] = async (deps) => {
  for (const { id, kind } of await listDueMail(deps.db, deps.now(), BATCH)) {
    await guarded(deps, 'mail-failed', { mailId: id, kind }, () => sendMail(deps, id));
  }
};
const retention: Steps[string] = async (deps) => (await import('./retention/keep-periods.ts')).keepPeriods(deps);
const dumps: Steps[string] = async (deps) => (await import('./operate/dump.ts')).dumpDatabase(deps);
const refusals: Steps[string] = async (deps) => (await import('./audit/refusals.ts')).foldRefusals(deps);
/** Sealed, checked and let go of once their time is over. */
const audit: Steps[string] = async (deps) => {
  await (await import('./audit/seal.ts')).sealTrails(deps);
  await (await import('./audit/check-trails.ts')).checkTrails(deps);
};

/** What a clinic's clock runs, in order: the money first. */
export const CLINIC_STEPS: Steps = {
  payments: async (deps) => {
    for (const attempt of await listDueAttempts(deps.db, deps.now(), BATCH)) {
      await guarded(deps, 'status-inquiry-failed', { attemptId: attempt.id }, () =>
        inquirePaymentStatus(deps, attempt),
      );
    }
  },
  mails,
  'mail-questions': async (deps) => (await import('./mail/ask.ts')).askAboutMails(deps),
  revocations: async (deps) => (await import('./pay-links/revocation.ts')).carryOutRevocations(deps),
  mailings: async (deps) => (await import('./mailings/send.ts')).sendMailings(deps),
  reminders: async (deps) => (await import('./reminders/send.ts')).remind(deps),
  'payment-notices': async (deps) => (await import('./mail/notices.ts')).owePaymentNotices(deps),
  reversals: async (deps) => {
    await (await import('./refunds/approvals.ts')).moveApprovals(deps);
    await (await import('./refunds/inquire.ts')).reconcileReversals(deps);
  },
  reconciliation: async (deps) => (await import('./reconciliation/run.ts')).reconcileAccounts(deps),
  'crm-sync': async (deps) => (await import('./crm-sync/run-all.ts')).syncAccounts(deps),
  'changed-amounts': async (deps) => (await import('./parts/watch-amounts.ts')).watchAmounts(deps),
  // The CRM is read first.
  'write-back': async (deps) => (await import('./write-back/write.ts')).writeBack(deps),
  retention,
  refusals,
  audit,
  dumps,
  troubles: async (deps) => (await import('./alerts/measure.ts')).alertClinics(deps),
  standing: async (deps) => (await import('./clinics/tell-standing.ts')).tellStanding(deps),
  archives: async (deps) => (await import('./leaving/make-archive.ts')).makeArchives(deps),
  // The last one: it may leave no database.
  closing: async (deps) => (await import('./leaving/close-due.ts')).closeDue(deps),
};

/** What the cron runs each minute for all clinics together. */
export const INSTALLATION_STEPS: Steps = {
  mails,
  'silent-clinics': async (deps) => (await import('./clinics/wake-silent.ts')).wakeSilent(deps),
  erasures: async (deps) => (await import('./leaving/close-due.ts')).finishErasures(deps),
  'tamper-monitor': async (deps) => (await import('./tamper-monitor/watch.ts')).watchPayPage(deps),
  'article-schedules': async (deps) => {
    const [{ listDueArticles }, { carryOutSchedule }] = await Promise.all([
      import('#worker/data/content/articles/articles'),
      import('./content/articles/schedule.ts'),
    ]);
    for (const articleId of await listDueArticles(deps.db, deps.now(), ARTICLES)) {
      await guarded(deps, 'article-schedule-failed', { articleId }, () => carryOutSchedule(deps, articleId));
    }
  },
  'site-builds': async (deps) => (await import('./content/publishing/request-build.ts')).requestBuild(deps, 'schedule'),
  retention,
  keys: async (deps) => (await import('./keys/reseal.ts')).noteUnusedKeys(deps),
  refusals,
  audit,
  anchors: async (deps) => (await import('./audit/anchor.ts')).anchorTrails(deps),
  dumps: async (deps) => {
    await dumps(deps);
    await (await import('./operate/watch-dumps.ts')).watchDumps(deps);
  },
  alerts: async (deps) => (await import('./alerts/run.ts')).runAlerts(deps),
};

/**
 * Run what is due for the clinic at hand, or for the installation. Runs may overlap: every step claims its own row.
 * While records are put back nothing is due: half of them would be taken for all. Answers when the first step wants to
 * go on (UTC ms); Infinity: none does.
 */
export async function runSchedule(deps: Deps): Promise<number> {
  if (await isUnderWay(deps.db)) return Number.POSITIVE_INFINITY;
  return runJobs(deps, deps.clinic === 0 ? INSTALLATION_STEPS : CLINIC_STEPS);
}

/**
 * Run these jobs in order. A failure is an info line: the next run tries again, and what stays undone is alerted by what
 * stands in the books and by the heartbeats. Never throws.
 */
export async function runJobs(deps: Deps, jobs: Steps): Promise<number> {
  const beats = [];
  let again = Number.POSITIVE_INFINITY;
  for (const [job, run] of Object.entries(jobs)) {
    const startedAt = deps.now();
    const ok = await guarded(deps, `${job}-failed`, {}, async () => {
      const next = await run(deps);
      if (typeof next === 'number') again = Math.min(again, next);
    });
    if (!ok && deps.clinic !== 0) deps.log.alert('clinic-job-failing', { job, clinic: deps.clinic });
    beats.push({ job, startedAt, finishedAt: deps.now(), ok });
  }
  await (await import('./alerts/after-run.ts')).afterRun(deps, beats);
  return again;
}

/** One bad row, or one bad step, must not keep the others waiting. False: it failed. */
async function guarded(deps: Deps, event: string, fields: LogFields, step: () => Promise<unknown>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (cause) {
    deps.log.info(event, { ...fields, ...(deps.clinic === 0 ? {} : { clinic: deps.clinic }), cause: causeOf(cause) });
    return false;
  }
}
