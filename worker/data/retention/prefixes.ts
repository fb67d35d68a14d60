import { DAY, type Lifetime, SEVEN_YEARS, TWO_YEARS } from '../schema/lifetime.ts';

/** Prefixes of the buckets. `ms`: a file that is older is deleted, whether a row still names it or not. */
export const prefixes = {
  'signatures/': {
    ms: TWO_YEARS + 30 * DAY,
    row: 'deleted with what its row says, 2 years after the payment’s end or the signing; one that no row names, after 761 days',
    rules: [],
    why: 'a lost claim may leave a picture behind',
  },
  'monitor/': { row: 'with its row', rules: [], why: 'evidence, or a version of the script, of twelve months' },
  'exports/': {
    row: 'deleted with its row, a week after it was made',
    rules: [],
    why: 'a copy of everything must not lie about',
  },
  'kept/': {
    ms: SEVEN_YEARS,
    row: 'deleted 7 years (2557 days) after the erasure',
    rules: [],
    why: 'evidence of money and acts of a clinic that was erased, without payers',
  },
  'nightly/': {
    ms: 35 * DAY,
    row: 'ended by the bucket’s lifecycle 35 days after it was written',
    rules: [],
    why: 'a month of nights to go back to; an erased person or clinic stands in it as long',
  },
  'monthly/': {
    ms: 400 * DAY,
    row: 'ended by the bucket’s lifecycle 13 months (400 days) after it was written',
    rules: [],
    why: 'as above, for what is found out late',
  },
  'files/': { row: 'with the file that it is a copy of', rules: [], why: 'the bucket of files may be lost' },
  'anchors/': {
    row: 'for ever; no job deletes it',
    rules: [],
    why: 'the trail is held against it, and the bucket’s lock refuses deletion; one small file a day',
  },
  'media/': { row: 'until it is deleted', rules: [], why: 'it never changes, so that caches may keep it' },
} satisfies Record<string, Lifetime & { ms?: number }>;
