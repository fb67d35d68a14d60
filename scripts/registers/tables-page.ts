import { DAY, type Lifetime, ONE_YEAR, type Rule, SEVEN_YEARS, TWO_YEARS } from '#worker/data/schema/lifetime';
import type { DeclaredTable } from '#worker/data/schema/table';
import { clinicTables, installationTables } from '#worker/data/schema/tables';

export const TABLES_PAGE = 'docs/tables.md';

const PERIODS = new Map([
  [0, 'as soon as'],
  [DAY / 24, '1 hour after'],
  [DAY, '1 day after'],
  [ONE_YEAR, '12 months (366 days) after'],
  [TWO_YEARS, '2 years (731 days) after'],
  [SEVEN_YEARS, '7 years (2557 days) after'],
]);

function ruleText(rule: Rule): string {
  if (rule.does === 'newest') return `the newest ${rule.rows} stay`;
  const { column, ms } = rule;
  const period = `${PERIODS.get(ms) ?? `${ms / DAY} days after`} \`${column}\`${ms === 0 ? ' is over' : ''}`;
  if ('apart' in rule) return `${rule.what} ${rule.does === 'blank' ? 'blanked' : 'deleted'} ${period}`;
  if (rule.does === 'blank') return `${rule.what} blanked ${period}`;
  return `${rule.what ? `${rule.what} ` : ''}deleted ${period}${rule.unless ? ` ${rule.unless.say}` : ''}`;
}

/** A lifetime in words, as the documents have it. */
export const lifetimeText = ({ row, rules, why }: Lifetime): string =>
  `${[...(row ? [row] : []), ...rules.map(ruleText)].join('; ')}: ${why}`;

function copiesText({ copies, evidence }: DeclaredTable): string {
  if (typeof copies === 'object' && 'none' in copies) return `none: ${copies.none}`;
  const where = copies === 'export and dump' ? copies : `${copies.only}; ${copies.why}`;
  return evidence ? `${where}; evidence after an erasure` : where;
}

function rowOf(table: DeclaredTable): string {
  const named = Object.entries(table.columns).flatMap(([name, { personal, freeText }]) =>
    personal || freeText ? [`\`${name}\``] : [],
  );
  const cells = [`\`${table.name}\``, table.row, named.join(', '), lifetimeText(table.lifetime), copiesText(table)];
  return `| ${cells.join(' | ')} |`;
}

const section = (title: string, tables: readonly DeclaredTable[]): string => `## ${title}

| Table | One row is | Columns that may name a person | Lifetime | Copies |
|---|---|---|---|---|
${tables.map(rowOf).join('\n')}
`;

/** The page of all tables, for people who ask what is stored, for how long, and where else it goes. */
export function tablesPage(): string {
  const isInBoth = ({ name }: DeclaredTable) =>
    clinicTables.some((table) => table.name === name) && installationTables.some((table) => table.name === name);
  const alone = (tables: readonly DeclaredTable[]) => tables.filter((table) => !isInBoth(table));
  return `# Tables

For whoever asks what is stored. \`npm run registers\` writes this page from the declarations in \`worker/data/schema/\`; [storage.md](storage.md) says the rest. "Export" is a download of all records, "dump" the nightly copy in the bucket of backups.

${[
  section("A clinic's database", alone(clinicTables)),
  section('In both kinds of database', clinicTables.filter(isInBoth)),
  section("The installation's database", alone(installationTables)),
].join('\n')}`;
}
