import { KEPT_MS } from '#shared/audit-chain';

/** Words for how long the rows of a table are kept. */
export const DAY = 86_400_000;
export const ONE_YEAR = 366 * DAY;
export const TWO_YEARS = 731 * DAY;
export const SEVEN_YEARS = KEPT_MS;
/** Thirteen months. */
export const MAILS_KEPT_MS = 400 * DAY;

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
  /** Done by the code that writes the rows, or by retention/signatures.ts: a file of the bucket or a seal belongs to each. */
  | { does: 'delete' | 'blank'; what: string; column: string; ms: number; apart: true }
  | { does: 'newest'; rows: number; column: string };

export type Lifetime = {
  /** How long the row itself stays, where no rule deletes it. */
  row?: 'for ever' | 'at least 7 years; no job deletes it' | 'with the account' | 'until it is deleted' | (string & {});
  rules: Rule[];
  why: string;
};

export const deleteAfter = (column: string, ms: number, index: string, when?: string): Rule => ({
  does: 'delete',
  column,
  ms,
  index,
  ...(when === undefined ? {} : { when }),
});
export const blankAfter = (
  column: string,
  ms: number,
  more: { what: string; set: string; index: string; when: string },
): Rule => ({ does: 'blank', column, ms, ...more });
export const atItsEnd = (index: string): Rule => deleteAfter('ends_at', 0, index);
export const withAccount = (why: string): Lifetime => ({ row: 'with the account', rules: [], why });
