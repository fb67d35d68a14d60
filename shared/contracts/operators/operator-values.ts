/** Display names of a clinic's problems for badges, filters and counts, the worst first. */
export const clinicProblems = {
  blocked: 'Payers cannot pay',
  silent: 'Silent',
  waiting: 'Waits for a decision',
  stuck: 'Outcome unknown',
  alerted: 'Alert open',
  failing: 'CRM sync fails',
  /** The same at every clinic, so it comes last. */
  paused: 'Payments paused',
} as const;
export type ClinicProblem = keyof typeof clinicProblems;
export const clinicProblemNames = Object.keys(clinicProblems) as [ClinicProblem, ...ClinicProblem[]];

/** States of a clinic: its worst problem, or one of these. */
export const clinicStates = {
  ...clinicProblems,
  restoring: 'Being restored',
  erased: 'Erased',
  ok: 'Running',
} as const;
export type ClinicState = keyof typeof clinicStates;

/** Groups of clinics with their names, in display order. A clinic is in the group of each of its problems. */
export const clinicGroups = {
  all: 'All clinics',
  trouble: 'In trouble',
  ...clinicProblems,
  behind: 'Schema behind',
  restoring: clinicStates.restoring,
  erased: clinicStates.erased,
} as const;
export type ClinicFilter = keyof typeof clinicGroups;
export const clinicFilters = Object.keys(clinicGroups) as [ClinicFilter, ...ClinicFilter[]];

/** Problems of the installation, the worst first. The problems of clinics are counted in clinics. */
export const installationProblems = [
  'schedule-stopped',
  'payments-paused',
  'alerts-open',
  'blocked',
  'silent',
  'waiting',
  'stuck',
  'failing',
  'trail-broken',
  'mails-unsent',
  'build-failed',
  'alerts-acknowledged',
  'restoring',
] as const;
export type InstallationProblem = (typeof installationProblems)[number];

/** The steps of the installation's schedule, as named in alerts and the runbook. */
export const installationJobs = [
  'mails',
  'silent-clinics',
  'erasures',
  'tamper-monitor',
  'article-schedules',
  'site-builds',
  'retention',
  'keys',
  'refusals',
  'audit',
  'anchors',
  'dumps',
  'alerts',
] as const;
export type InstallationJob = (typeof installationJobs)[number];

/** Reasons why calls to the CRM fail. */
export const crmFailures = ['unavailable', 'expired', 'revoked', 'missing-scopes'] as const;
export type CrmFailure = (typeof crmFailures)[number];

/** Limits for operator input. */
export const operatorLimits = {
  name: 100,
  /** An enrolment code for an operator. */
  code: 100,
  /** The key of an alert, or the id of an email. */
  key: 300,
  /** Reason for pausing or resuming payments. */
  reasonMin: 5,
  reason: 200,
  /** Bytes of a request. */
  body: 20_000,
  /** Clinics on a page. */
  page: 50,
} as const;
