import { listDueMail } from '#worker/data/mail/outbox';
import { listDueAttempts } from '../data/payments/attempts.ts';
import type { Deps } from '../deps.ts';
import { causeOf, type LogFields } from '../log.ts';
import { sendMail } from './mail/send.ts';
import { inquirePaymentStatus } from './payments/inquire-status.ts';

const BATCH = 50;

type Steps = Record<string, (deps: Deps) => Promise<void>>;

const mails: Steps[string] = async (deps) => {
  for (const { id, kind } of await listDueMail(deps.db, deps.now(), BATCH)) {
    await guarded(deps, 'mail-failed', { mailId: id, kind }, () => sendMail(deps, id));
  }
};
const retention: Steps[string] = async (deps) => (await import('./retention/keep-periods.ts')).keepPeriods(deps);
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
  reversals: async (deps) => (await import('./refunds/inquire.ts')).reconcileReversals(deps),
  reconciliation: async (deps) => (await import('./reconciliation/run.ts')).reconcileAccounts(deps),
  'crm-sync': async (deps) => (await import('./crm-sync/run-all.ts')).syncAccounts(deps),
  retention,
  refusals,
  audit,
  standing: async (deps) => (await import('./clinics/tell-standing.ts')).tellStanding(deps),
};

/** What the cron runs each minute for all clinics together. */
export const INSTALLATION_STEPS: Steps = {
  mails,
  'silent-clinics': async (deps) => (await import('./clinics/wake-silent.ts')).wakeSilent(deps),
  'tamper-monitor': async (deps) => (await import('./tamper-monitor/watch.ts')).watchPayPage(deps),
  'site-builds': async (deps) => (await import('./content/publishing/request-build.ts')).requestBuild(deps, 'schedule'),
  retention,
  keys: async (deps) => (await import('./keys/reseal.ts')).noteUnusedKeys(deps),
  refusals,
  audit,
  anchors: async (deps) => (await import('./audit/anchor.ts')).anchorTrails(deps),
};

/** Run what is due for the clinic at hand, or for the installation. Runs may overlap: every step claims its own row. */
export async function runSchedule(deps: Deps): Promise<void> {
  const steps = deps.clinic === 0 ? INSTALLATION_STEPS : CLINIC_STEPS;
  for (const [name, step] of Object.entries(steps)) await guarded(deps, `${name}-failed`, {}, () => step(deps));
}

/** One bad row, or one bad step, must not keep the others waiting. */
async function guarded(deps: Deps, event: string, fields: LogFields, step: () => Promise<unknown>) {
  try {
    await step();
  } catch (cause) {
    deps.log.alert(event, { ...fields, ...(deps.clinic === 0 ? {} : { clinic: deps.clinic }), cause: causeOf(cause) });
  }
}
