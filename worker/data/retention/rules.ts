/** Rules of the register of periods (periods.ts), and how docs/storage.md says them. Times are in ms. */
export const DAY = 86_400_000;
export const TWELVE_MONTHS = 366 * DAY;
export const TWO_YEARS = 731 * DAY;
export const SEVEN_YEARS = 2557 * DAY;

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
  /** A file in the bucket belongs to the row, and the job that deletes it does both. */
  | { does: 'delete' | 'blank'; what: string; column: string; ms: number; hasFile: true }
  | { does: 'newest'; rows: number; column: string };

export type Kept = {
  /** How long the row itself stays, where no rule deletes it. */
  row?: 'for ever' | 'at least 7 years; no job deletes it' | 'with the account' | 'until it is deleted' | (string & {});
  rules: Rule[];
  why: string;
};

const WORDS = new Map([
  [0, 'as soon as'],
  [DAY, '1 day after'],
  [TWELVE_MONTHS, '12 months (366 days) after'],
  [TWO_YEARS, '2 years (731 days) after'],
  [SEVEN_YEARS, '7 years (2557 days) after'],
]);

function textOf(rule: Rule): string {
  if (rule.does === 'newest') return `the newest ${rule.rows} stay`;
  const { column, ms } = rule;
  const period = `${WORDS.get(ms) ?? `${ms / DAY} days after`} \`${column}\`${ms === 0 ? ' is over' : ''}`;
  if ('hasFile' in rule) return `${rule.what} ${rule.does === 'blank' ? 'blanked' : 'deleted'} ${period}`;
  if (rule.does === 'blank') return `${rule.what} blanked ${period}`;
  return `${rule.what ? `${rule.what} ` : ''}deleted ${period}${rule.unless ? ` ${rule.unless.say}` : ''}`;
}

/** The cell of docs/storage.md. */
export const lifetimeOf = ({ row, rules, why }: Kept): string =>
  `${[...(row ? [row] : []), ...rules.map(textOf)].join('; ')}: ${why}`;
