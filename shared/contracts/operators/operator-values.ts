/** Groups of clinics with their names, in display order. */
export const clinicGroups = {
  all: 'All clinics',
  trouble: 'In trouble',
  waiting: 'A payment waits for a person',
  stuck: 'A payment’s outcome is unknown',
  failing: 'CRM sync fails',
  silent: 'Silent',
  behind: 'Schema behind',
  erased: 'Erased',
} as const;
export type ClinicFilter = keyof typeof clinicGroups;
export const clinicFilters = Object.keys(clinicGroups) as [ClinicFilter, ...ClinicFilter[]];

/** The worst applicable state of a clinic, from its last report. */
export type ClinicState = 'ok' | 'waiting' | 'stuck' | 'failing' | 'silent' | 'erased';

/** Limits for operator input. */
export const operatorLimits = {
  name: 100,
  /** An enrolment code for an operator. */
  code: 100,
  /** The key of an alert, or the id of a mail. */
  key: 300,
  /** Reason for pausing or resuming payments. */
  reasonFrom: 5,
  reason: 200,
  /** Bytes of a request. */
  body: 20_000,
  /** Clinics on a page. */
  page: 50,
} as const;
