import { KEPT_MS } from '#shared/audit-chain';

/**
 * How long each table and each prefix of the bucket keeps what it holds: the only register of periods, with what
 * clinic-periods.ts and installation-periods.ts say of the tables of one database alone. The schedule goes by it (worker/domain/retention/keep-periods.ts), and tests/check/reference-docs.test.ts compares it with
 * docs/storage.md word by word, so that nothing is stored without a period.
 */
export const DAY = 86_400_000;
export const ONE_YEAR = 366 * DAY;
export const TWO_YEARS = 731 * DAY;
export const SEVEN_YEARS = KEPT_MS;

type From = {
  /** The column that the period begins with (UTC ms), and the index that finds the rows, oldest first. */
  column: string;
  ms: number;
  index: string;
  /** A condition of that index, or one that the rows must meet as well. */
  when?: string;
  /** Rows that a run takes at most, where a row brings others along. */
  atOnce?: number;
};
export type Rule =
  /** `what`: which rows, in words; `unless`: of the rows found, those to leave, as SQL and in words. */
  | ({ does: 'delete'; what?: string; unless?: { sql: string; say: string } } & From)
  /** `what` in words, `set` as SQL. */
  | ({ does: 'blank'; what: string; set: string } & From)
  /** Done by the code that writes the rows, or by signatures.ts: a file of the bucket or a seal belongs to each. */
  | { does: 'delete' | 'blank'; what: string; column: string; ms: number; apart: true }
  | { does: 'newest'; rows: number; column: string };

export type Kept = {
  /** How long the row itself stays, where no rule deletes it. */
  row?: 'for ever' | 'at least 7 years; no job deletes it' | 'with the account' | 'until it is deleted' | (string & {});
  rules: Rule[];
  why: string;
};

/** Let go as soon as it has ended. */
export const atItsEnd = (index: string): Rule => ({ does: 'delete', column: 'ends_at', ms: 0, index });
export const withAccount = (why: string): Kept => ({ row: 'with the account', rules: [], why });

export const OPEN_STATES = "('sent', 'unknown', 'pending', 'needs_human')";
/** Conditions of the indexes with the same names; SQLite takes an index only where it finds its very words. */
export const WITH_PAYER = `(signature_key IS NOT NULL OR payer_first_name || payer_last_name || payer_address || payer_address2
    || payer_city || payer_state || payer_zip || receipt_to || started_by <> '')`;
/** The tables of copies that the CRM sync keeps. */
export const COPIES = ['contacts', 'companies', 'invoices'] as const;

/** Of the tables that a clinic's database and the installation's both have. */
export const both: Record<string, Kept> = {
  outbox: {
    rules: [
      { does: 'delete', column: 'created_at', ms: 400 * DAY, index: 'outbox_done', when: "state <> 'due'" },
      {
        does: 'blank',
        what: '`details`',
        set: "details = '{}'",
        column: 'sent_at',
        ms: DAY,
        index: 'outbox_done_with_details',
        when: "state <> 'due' AND details <> '{}'",
      },
    ],
    why: 'thirteen months answer whether a mail went out; its details may hold a sealed token, which no mail needs again. A mail that is still owed stays',
  },
  bucket_cursors: { row: 'for ever', rules: [], why: 'a row for each prefix that is looked through' },
  audit_events: {
    rules: [{ does: 'delete', what: 'sealed events', column: 'at', ms: SEVEN_YEARS, apart: true }],
    why: 'as long as the records of money that they tell of; triggers refuse changes, and deletion before that',
  },
  audit_seals: {
    row: 'for ever',
    rules: [],
    why: 'the chain goes on over events that are gone; triggers refuse changes',
  },
  audit_refusals: { row: 'until its hour is over', rules: [], why: 'then it is one event' },
  audit_checks: withAccount('one row'),
};

/** Prefixes of the buckets. `ms`: a file that is older is deleted, whether a row still names it or not. */
export const prefixes: Record<string, Kept & { ms?: number }> = {
  'signatures/': {
    ms: TWO_YEARS + 30 * DAY,
    row: 'deleted with what its row says, 2 years after the payment’s end or the signing; one that no row names, after 761 days',
    rules: [],
    why: 'a lost claim may leave a picture behind',
  },
  'monitor/': { row: 'with its row', rules: [], why: 'evidence, or a version of the script, of twelve months' },
  'anchors/': {
    row: 'for ever; no job deletes it',
    rules: [],
    why: 'the trail is held against it, and the bucket’s lock refuses deletion; one small file a day',
  },
  'media/': { row: 'until it is deleted', rules: [], why: 'it never changes, so that caches may keep it' },
};
