import { DAY, type Kept, ONE_YEAR, type Rule, SEVEN_YEARS, TWO_YEARS } from '#worker/data/retention/kept';

const WORDS = new Map([
  [0, 'as soon as'],
  [DAY / 24, '1 hour after'],
  [DAY, '1 day after'],
  [ONE_YEAR, '12 months (366 days) after'],
  [TWO_YEARS, '2 years (731 days) after'],
  [SEVEN_YEARS, '7 years (2557 days) after'],
]);

function textOf(rule: Rule): string {
  if (rule.does === 'newest') return `the newest ${rule.rows} stay`;
  const { column, ms } = rule;
  const period = `${WORDS.get(ms) ?? `${ms / DAY} days after`} \`${column}\`${ms === 0 ? ' is over' : ''}`;
  if ('apart' in rule) return `${rule.what} ${rule.does === 'blank' ? 'blanked' : 'deleted'} ${period}`;
  if (rule.does === 'blank') return `${rule.what} blanked ${period}`;
  return `${rule.what ? `${rule.what} ` : ''}deleted ${period}${rule.unless ? ` ${rule.unless.say}` : ''}`;
}

/** The cell of docs/storage.md. */
export const lifetimeOf = ({ row, rules, why }: Kept): string =>
  `${[...(row ? [row] : []), ...rules.map(textOf)].join('; ')}: ${why}`;
