import type { FirstHourStep, Waits } from '#shared/contracts/first-hour';
import type { FirstHourRow, FirstPayment } from '#worker/data/first-hour/first-hour';

export type Step = { name: FirstHourStep; isDone: boolean; waitsFor: Waits | null; since: number | null };

/** Without an estimate before (ms): a rate of less than that is chance. */
const EARLY_MS = 2000;

const step = (name: FirstHourStep, isDone: boolean, waitsFor: Waits | null, since: number | null = null): Step => ({
  name,
  isDone,
  waitsFor: isDone ? null : waitsFor,
  since: isDone || waitsFor === null ? null : since,
});

/**
 * The steps of a clinic's first hour with who waits for whom, each read from what its own part wrote: nothing is ticked by
 * hand but that somebody looked at the mails. Times in UTC milliseconds.
 */
export function stepsOf(facts: FirstHourRow, paid: FirstPayment | undefined): Step[] {
  const { connectedAt, completeAt, failingSince, isCut, terminals, online, members, invited, mailsSeenAt } = facts;
  const application = applicationStep(facts);
  const isApproved = application.isDone;
  const areIn = isApproved || facts.status === 'in-review' || facts.status === 'declined';
  const isSynced = completeAt !== null && isCut === 0;
  return [
    step('papers', areIn, 'you', application.since),
    step('connect', isSynced, isCut ? 'you' : 'crm', isCut ? null : (failingSince ?? connectedAt)),
    application,
    step('terminals', terminals > 0, isApproved ? 'provider' : null, facts.toldAt ?? facts.claimedAt),
    step('test-link', paid !== undefined, online > 0 ? 'you' : null, facts.testSentAt),
    step('staff', members > 1 || invited > 0, 'you'),
    step('mails', mailsSeenAt !== null, 'you'),
  ];
}

function applicationStep({ status, connectedAt, claimedAt, toldAt }: FirstHourRow): Step {
  const since = toldAt ?? claimedAt;
  switch (status) {
    case null:
    case 'applying':
      return step('application', false, 'you', connectedAt);
    case 'applied':
    case 'pended':
      return step('application', false, 'you', since);
    case 'in-review':
      return step('application', false, 'provider', since);
    // Only the provider's support can say more.
    case 'declined':
      return step('application', false, null);
    case 'approved':
    case 'boarded':
      return step('application', true, null);
  }
}

/** How the first sync goes, in whole seconds. */
export function syncTimes(facts: FirstHourRow, now: number): { tookS: number | null; leftS: number | null } {
  const { beganAt, completeAt, copied, expected, pass } = facts;
  if (completeAt !== null) {
    // A later full scan has a beginning of its own.
    const isKnown = beganAt !== null && pass === 1;
    return { tookS: isKnown ? Math.ceil((completeAt - beganAt) / 1000) : null, leftS: null };
  }
  const ranMs = beganAt === null ? 0 : now - beganAt;
  if (ranMs < EARLY_MS || !copied || !expected || expected < copied) return { tookS: null, leftS: null };
  return { tookS: null, leftS: Math.ceil((ranMs * (expected - copied)) / copied / 1000) };
}
