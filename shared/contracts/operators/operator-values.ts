/** Groups of clinics in the order in which the page offers them, with their names. */
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

/** How a clinic is, by what it told of itself last; the worst that holds. */
export type ClinicState = 'ok' | 'waiting' | 'stuck' | 'failing' | 'silent' | 'erased';

/** Limits of what operators send. */
export const operatorLimits = {
  name: 100,
  /** A code that makes an operator. */
  code: 100,
  /** The key of an alert, or the id of a mail. */
  key: 300,
  /** Why payments are paused or resumed. */
  reasonFrom: 5,
  reason: 200,
  /** Bytes of a request. */
  body: 20_000,
  /** Clinics on a page. */
  page: 50,
} as const;
