import { DAY, type Lifetime, SEVEN_YEARS, TWO_YEARS } from '../schema/table.ts';

/** Lifetimes of files, by bucket prefix. `ms`: older files are deleted even if a row still refers to them. */
export const fileLifetimes = {
  'signatures/': {
    ms: TWO_YEARS + 30 * DAY,
    row: 'deleted with its row’s data, 2 years after the payment’s end or the signing; without a row, after 761 days',
    rules: [],
    why: 'an attempt that lost its claim may leave a picture behind',
  },
  'monitor/': { row: 'as long as its row', rules: [], why: 'twelve months of evidence and script versions' },
  'exports/': {
    row: 'deleted with its row, a week after it was made',
    rules: [],
    why: 'a copy of all records must not stay longer',
  },
  'kept/': {
    ms: SEVEN_YEARS,
    row: 'deleted 7 years (2557 days) after the erasure',
    rules: [],
    why: 'evidence of the money and acts of an erased clinic, without payers',
  },
  'nightly/': {
    ms: 35 * DAY,
    row: 'deleted by the bucket’s lifecycle rule 35 days after it was written',
    rules: [],
    why: 'it allows a restore to any night of the last month; erased persons and clinics stay in it as long',
  },
  'monthly/': {
    ms: 400 * DAY,
    row: 'deleted by the bucket’s lifecycle rule 13 months (400 days) after it was written',
    rules: [],
    why: 'it allows a restore after damage found late; erased persons and clinics stay in it as long',
  },
  'files/': { row: 'as long as the file that it copies', rules: [], why: 'the bucket of files may be lost' },
  'anchors/': {
    row: 'forever; no job deletes it',
    rules: [],
    why: 'the audit trail is verified against it, and the bucket’s lock refuses deletion; one small file a day',
  },
  'media/': { row: 'until it is deleted', rules: [], why: 'it never changes, so caches may keep it' },
} satisfies Record<string, Lifetime & { ms?: number }>;
