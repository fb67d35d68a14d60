import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FIRST_MIGRATION } from '#worker/clinic/migration';

const MIGRATIONS = 'worker/clinic/migrations.ts';

/**
 * Looks for what a local SQLite takes and D1's remote splitter breaks: it cuts a file into statements by rules of its own,
 * which are written down nowhere. A clinic's migrations never meet it, but a rule for both is easier to keep.
 */
export function problemsIn(sql: string): string[] {
  const told: string[] = [];
  if (sql.includes('\r')) told.push('has CR line ends; write LF alone');
  if (sql.startsWith('\uFEFF')) told.push('begins with a byte order mark');
  const code = withoutTexts(sql);
  if (!/;\s*$/.test(code)) told.push('does not end with a semicolon');
  if (/(^|;)\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|END)\b(?!\s*\))/i.test(outsideTriggers(code)))
    told.push('has a statement of a transaction; a file is one already');
  if (/\bPRAGMA\s+(?:foreign_keys|defer_foreign_keys)\b/i.test(code))
    told.push('sets foreign_keys, which D1 does not obey: never rebuild a table that others name');
  for (const trigger of triggersIn(code)) told.push(...problemsOfTrigger(trigger));
  return told;
}

/** Comments and quoted texts become blanks, since words in them mean nothing. */
const withoutTexts = (sql: string): string =>
  sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g, (text) => text.replace(/[^\n]/g, ' '));

const TRIGGER = /\bCREATE\s+(?:TEMP(?:ORARY)?\s+)?TRIGGER\b/i;
const END = /;\s*END\s*;/gi;

/** A trigger from its CREATE to its END; where no END is found, to the end of the text. */
function triggersIn(code: string): string[] {
  const found: string[] = [];
  for (let rest = code; ; ) {
    const from = TRIGGER.exec(rest)?.index;
    if (from === undefined) return found;
    END.lastIndex = from;
    const end = END.exec(rest);
    const to = end ? end.index + end[0].length : rest.length;
    found.push(rest.slice(from, to));
    rest = rest.slice(to);
  }
}

const outsideTriggers = (code: string): string => triggersIn(code).reduce((rest, one) => rest.replace(one, ''), code);

function problemsOfTrigger(trigger: string): string[] {
  const [, name = ''] = /TRIGGER\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/i.exec(trigger) ?? [];
  const told: string[] = [];
  const begins = trigger.match(/\bBEGIN\b/gi) ?? [];
  if (begins.length !== 1 || begins[0] !== 'BEGIN') told.push(`the trigger ${name} needs one BEGIN in capitals`);
  if (!/;\s*END\s*;$/.test(trigger)) told.push(`the trigger ${name} must end with END; in capitals, after a semicolon`);
  if (hasBareCase(trigger)) told.push(`the trigger ${name} has a CASE … END without parentheses around it`);
  return told;
}

/** Whether a CASE stands outside any parentheses of the trigger's body. */
function hasBareCase(trigger: string): boolean {
  const body = trigger.slice(Math.max(0, trigger.search(/\bBEGIN\b/i)));
  let depth = 0;
  for (const [word] of body.matchAll(/[()]|\bCASE\b/gi)) {
    if (word === '(') depth++;
    else if (word === ')') depth--;
    else if (depth === 0) return true;
  }
  return false;
}

/** The numbers of a set, which begin at 100 and have no hole and no double. */
export function problemsOfNumbers(files: string[]): string[] {
  return files.sort().flatMap((file, at) => {
    const number = Number(/(\d{4})_[^/\\]*$/.exec(file)?.[1]);
    const expected = FIRST_MIGRATION + at;
    return number === expected ? [] : [`${file}: its number must be 0${expected}`];
  });
}

/** Migrations of a clinic that the Worker's list does not import, in their order. */
export function problemsOfImports(files: string[], list: string): string[] {
  const imported = [...list.matchAll(/migrations\/clinic\/(.+?)\?raw/g)].map(([, name]) => name);
  const isSame = files.sort().every((file, at) => path.basename(file) === imported[at]);
  return isSame && files.length === imported.length ? [] : [`${MIGRATIONS} must import all files of migrations/clinic`];
}

if (import.meta.main) {
  const sets = ['clinic', 'installation'].map((set) => globSync(`migrations/${set}/*.sql`));
  const problems = sets.flatMap((files) => [
    ...problemsOfNumbers(files),
    ...files.flatMap((file) => problemsIn(readFileSync(file, 'utf8')).map((problem) => `${file}: ${problem}`)),
  ]);
  problems.push(...problemsOfImports(sets[0] ?? [], readFileSync(MIGRATIONS, 'utf8')));
  for (const problem of problems) console.log(problem);
  console.log(`migrations: ${sets.flat().length} files`);
  if (problems.length > 0) process.exitCode = 1;
}
