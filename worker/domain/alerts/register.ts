import type { ClinicProblem } from '#shared/contracts/operators/operator-values';
import type { Severity } from '#worker/data/schema/monitoring';

/**
 * The rule of an event that raises an alert: a problem with money or a broken promise that requires action by a person.
 * Problems that the program repairs by itself are logged as info. docs/runbook.md has a section for each event;
 * tests/check/alerts.test.ts compares the register with the runbook and the calls of `log.alert`.
 */
export type Rule = {
  /** `now`: sent within minutes. `daily`: sent together in at most one message a day. */
  severity: Severity;
  /** Must be understandable on its own. */
  description: string;
  /** The field that distinguishes problems of this event; without it, all occurrences count as one problem. */
  subjectField?: 'job' | 'kind';
  /** Sent only after the problem has lasted this long (ms). */
  afterMs?: number;
  /** Sent only after this many occurrences, if a single one is harmless. */
  minCount?: number;
  /** The problem is over after this long (ms) without an occurrence. */
  silenceMs?: number;
  /** Measured by the schedule (worker/data/alerts/measure.ts); the problem is over when it is no longer found. */
  isMeasured?: true;
  /** The problem that a clinic has while the alert is open for it; without this, `alerted`. */
  problem?: ClinicProblem;
  /** Sent by the webhook only, because the problem is with mail. */
  withoutMail?: true;
};

const MINUTE = 60_000;
/** A problem is over after this long (ms) without an occurrence; a measured one is renewed hourly while it lasts. */
export const SILENCE_MS = 24 * 3_600_000;

/** Every short outage of the platform causes single refusals, and the payer is asked to try again. */
const onlyIfRepeated = { minCount: 3, silenceMs: 15 * MINUTE } as const;

export const register = {
  'payment-needs-a-person': {
    severity: 'now',
    isMeasured: true,
    afterMs: 15 * MINUTE,
    problem: 'waiting',
    description: 'A payment is waiting for a decision by the clinic, and its invoice cannot be paid.',
  },
  'reversal-needs-a-person': {
    severity: 'now',
    isMeasured: true,
    afterMs: 15 * MINUTE,
    problem: 'waiting',
    description: 'A refund or void is waiting for a decision by the clinic.',
  },
  'payment-unknown': {
    severity: 'now',
    isMeasured: true,
    problem: 'stuck',
    description: 'It is still not known whether a card was charged, although the time for finding out is over.',
  },
  'reversal-unknown': {
    severity: 'now',
    isMeasured: true,
    problem: 'stuck',
    description: 'It is still not known if a refund was made, although the time for finding out is over.',
  },
  'approved-refund-not-made': {
    severity: 'now',
    isMeasured: true,
    description: 'A refund or void was approved by a second person, and has not been made for a quarter of an hour.',
  },
  'payment-contradicted': {
    severity: 'now',
    description: 'The card provider shows a payment differently from our books.',
  },
  'bank-debit-returned-late': {
    severity: 'now',
    description: 'A bank took back a payment that was already settled.',
  },
  'another-batch-closed': {
    severity: 'now',
    description: 'The card provider closed a different batch from the one that we requested.',
  },
  'batch-close-not-noted': {
    severity: 'now',
    description: 'A batch was closed, but its outcome could not be saved in our books.',
  },
  'batch-close-unknown': {
    severity: 'daily',
    isMeasured: true,
    description: 'It has not been known for more than a day whether a batch was closed.',
  },
  'daily-sums-differ': {
    severity: 'now',
    isMeasured: true,
    description: 'The stored total of a day differs from the sum of its payments.',
  },
  'invoice-balances-differ': {
    severity: 'now',
    isMeasured: true,
    description: 'The paid or owed amount of an invoice does not match its payments in the ledger.',
  },
  'reconciliation-late': {
    severity: 'now',
    isMeasured: true,
    description: 'Our books could not be compared with the card provider for more than an hour.',
  },
  'gateway-refused-our-credentials': {
    severity: 'now',
    problem: 'blocked',
    description: 'The card provider refuses the key of a terminal, so nobody can pay with it.',
  },
  'payment-not-started': {
    severity: 'now',
    ...onlyIfRepeated,
    problem: 'blocked',
    description: 'Payments are refused because the database does not answer. Nobody was charged.',
  },
  'claim-failed': {
    severity: 'now',
    ...onlyIfRepeated,
    problem: 'blocked',
    description: 'Payments are refused because they cannot be saved. Nobody was charged.',
  },
  'signature-not-kept': {
    severity: 'now',
    ...onlyIfRepeated,
    problem: 'blocked',
    description: 'Payments are refused because signatures cannot be stored. Nobody was charged.',
  },
  'card-testing-suspected': {
    severity: 'now',
    silenceMs: 60 * MINUTE,
    description: 'Most cards at a clinic are declined: someone may be testing stolen ones.',
  },
  'script-changed': {
    severity: 'now',
    isMeasured: true,
    description: 'The card provider’s or Google’s script on the payment page has changed and waits for an approval.',
  },
  'pay-page-differs': {
    severity: 'now',
    isMeasured: true,
    description: 'The payment page is not as it was built.',
  },
  'audit-trail-broken': {
    severity: 'now',
    isMeasured: true,
    description: 'An audit trail does not agree with its seals.',
  },
  'audit-unsealed': {
    severity: 'now',
    isMeasured: true,
    description: 'Events of an audit trail have been without a seal for too long.',
  },
  'mail-overdue': {
    severity: 'now',
    isMeasured: true,
    withoutMail: true,
    description: 'Emails have been waiting for more than five minutes.',
  },
  'clinic-silent': {
    severity: 'now',
    isMeasured: true,
    problem: 'silent',
    description: 'A clinic’s own schedule has not reported for 25 minutes, although it was started.',
  },
  'clinic-job-failing': {
    severity: 'now',
    subjectField: 'job',
    minCount: 5,
    afterMs: 6 * MINUTE,
    silenceMs: 5 * MINUTE,
    description: 'A job of the clinics’ own schedules keeps failing.',
  },
  'job-overdue': {
    severity: 'now',
    isMeasured: true,
    subjectField: 'job',
    description: 'A job of the schedule keeps failing.',
  },
  'alerts-held': {
    severity: 'now',
    silenceMs: 60 * MINUTE,
    description: 'There are more alerts than may be sent in an hour.',
  },
  'crm-grant-revoked': {
    severity: 'daily',
    isMeasured: true,
    problem: 'blocked',
    description: 'A clinic has revoked our access to its CRM, so nothing can be paid there.',
  },
  'crm-copy-old': {
    severity: 'daily',
    isMeasured: true,
    problem: 'failing',
    description: 'A clinic’s CRM could not be read for more than an hour, so its lists are old.',
  },
  'mail-refused': {
    severity: 'daily',
    withoutMail: true,
    description: 'The mail service refused an email, and it will not be sent.',
  },
  'mail-given-up': {
    severity: 'daily',
    withoutMail: true,
    description: 'An email could not be sent in twelve tries, and it will not be sent.',
  },
  'build-failed': {
    severity: 'daily',
    isMeasured: true,
    description: 'The public site could not be built, so it does not show what was published.',
  },
  'amount-over-maximum': {
    severity: 'daily',
    description: 'An invoice is above the largest amount that is charged online.',
  },
  'secret-not-resealed': {
    severity: 'daily',
    description: 'A stored secret cannot be opened with the keys that are set.',
  },
  'application-superfluous': {
    severity: 'daily',
    description: 'A clinic has a second application at the card provider, which nobody needs.',
  },
  'boarding-key-refused': {
    severity: 'daily',
    description: 'The card provider announced a terminal whose key it does not accept.',
  },
  'request-failed': {
    severity: 'daily',
    description: 'Someone was shown “Something went wrong on our side”.',
  },
} as const satisfies Record<string, Rule>;
export type AlertEvent = keyof typeof register;

const rules: Record<string, Rule> = register;

/** An event missing from the register is sent at once: it may be as urgent as any other. */
export const ruleOf = (event: string): Rule =>
  (Object.hasOwn(rules, event) ? rules[event] : undefined) ?? { severity: 'now', description: event };

/** The key that all alerts of one problem share. */
export const keyOf = (event: string, subject: string): string => (subject ? `${event} ${subject}` : event);

export const MEASURED_EVENTS = Object.entries(rules).flatMap(([event, { isMeasured }]) => (isMeasured ? [event] : []));

/** Maps the event of an alert to the problem of its clinic; an event missing here maps to `alerted`. */
export const PROBLEM_OF_ALERT: Readonly<Record<string, ClinicProblem>> = Object.fromEntries(
  Object.entries(rules).flatMap(([event, { problem }]) => (problem ? [[event, problem]] : [])),
);
