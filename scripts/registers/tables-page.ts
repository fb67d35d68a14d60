import {
  DAY,
  type DeclaredTable,
  type Lifetime,
  ONE_YEAR,
  type Rule,
  SEVEN_YEARS,
  TWO_YEARS,
} from '#worker/data/schema/table';
import { clinicTables, installationTables } from '#worker/data/schema/tables';

export const TABLES_PAGE = 'docs/tables.md';

const PERIODS = new Map([
  [0, 'once'],
  [DAY / 24, '1 hour after'],
  [DAY, '1 day after'],
  [ONE_YEAR, '12 months (366 days) after'],
  [TWO_YEARS, '2 years (731 days) after'],
  [SEVEN_YEARS, '7 years (2557 days) after'],
]);

function ruleText(rule: Rule): string {
  if (rule.does === 'newest') return `the newest ${rule.rows} are kept`;
  const { column, ms } = rule;
  const period = `${PERIODS.get(ms) ?? `${ms / DAY} days after`} \`${column}\`${ms === 0 ? ' has passed' : ''}`;
  if ('apart' in rule) return `${rule.what} ${rule.does === 'blank' ? 'blanked' : 'deleted'} ${period}`;
  if (rule.does === 'blank') return `${rule.what} blanked ${period}`;
  return `${rule.what ? `${rule.what} ` : ''}deleted ${period}${rule.unless ? ` ${rule.unless.say}` : ''}`;
}

/** A lifetime in words, for the documents. */
export const lifetimeText = ({ row, rules, why }: Lifetime): string =>
  `${[...(row ? [row] : []), ...rules.map(ruleText)].join('; ')}: ${why}`;

function copiesText({ copies, evidence }: DeclaredTable): string {
  if (typeof copies === 'object' && 'none' in copies) return `none: ${copies.none}`;
  const where = copies === 'export and dump' ? copies : `${copies.only}; ${copies.why}`;
  return evidence ? `${where}; evidence after erasure` : where;
}

function rowOf(table: DeclaredTable): string {
  const columns = Object.entries(table.columns).flatMap(([name, { personal, freeText }]) =>
    personal || freeText ? [`\`${name}\``] : [],
  );
  const cells = [`\`${table.name}\``, table.row, columns.join(', '), lifetimeText(table.lifetime), copiesText(table)];
  return `| ${cells.join(' | ')} |`;
}

const section = (title: string, tables: readonly DeclaredTable[]): string => `## ${title}

| Table | One row is | Columns that may name a person | Lifetime | Copies |
|---|---|---|---|---|
${tables.map(rowOf).join('\n')}
`;

/** The page of all tables: the stored data, their lifetimes and their copies. */
export function tablesPage(): string {
  const isInBoth = ({ name }: DeclaredTable) =>
    clinicTables.some((table) => table.name === name) && installationTables.some((table) => table.name === name);
  const onlyIn = (tables: readonly DeclaredTable[]) => tables.filter((table) => !isInBoth(table));
  return `# Tables

This page lists all stored data, for operators and auditors. \`npm run registers\` writes it from the declarations in
\`worker/data/schema/\`; [storage.md](storage.md) has everything else. "Export" is a download of all records, "dump" is
the nightly copy in the backup bucket.

${[
  section("A clinic's database", onlyIn(clinicTables)),
  section('In both kinds of database', clinicTables.filter(isInBoth)),
  section("The installation's database", onlyIn(installationTables)),
].join('\n')}`;
}
