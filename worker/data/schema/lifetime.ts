import { KEPT_MS } from '#shared/audit-chain';

/** Types and helpers that declare the lifetime of a table's rows. Periods are in ms. */
export const DAY = 86_400_000;
export const ONE_YEAR = 366 * DAY;
export const TWO_YEARS = 731 * DAY;
export const SEVEN_YEARS = KEPT_MS;
/** Thirteen months. */
export const MAILS_KEPT_MS = 400 * DAY;

type From = {
  /** The period starts at this column (UTC ms); `index` finds the rows, oldest first. */
  column: string;
  ms: number;
  index: string;
  /** The condition of the partial index, or a further condition on the rows. */
  when?: string;
  /** The maximum of rows per run, where one row affects others. */
  atOnce?: number;
};
export type Rule =
  /** `what`: the rows, in words. `unless`: the found rows to keep, as SQL and in words. */
  | ({ does: 'delete'; what?: string; unless?: { sql: string; say: string } } & From)
  /** `what`: the columns, in words. `set`: the assignments, as SQL. */
  | ({ does: 'blank'; what: string; set: string } & From)
  /**
   * Enforced by the code that writes the rows, or by retention/signatures.ts, because each row has a seal or a file in
   * the bucket.
   */
  | { does: 'delete' | 'blank'; what: string; column: string; ms: number; apart: true }
  | { does: 'newest'; rows: number; column: string };

export type Lifetime = {
  /** The lifetime of the row itself where no rule deletes it. */
  row?:
    | 'forever'
    | 'at least 7 years; no job deletes it'
    | 'as long as the account'
    | 'until it is deleted'
    | (string & {});
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
export const withAccount = (why: string): Lifetime => ({ row: 'as long as the account', rules: [], why });
