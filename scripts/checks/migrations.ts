import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { FIRST_MIGRATION } from '#worker/clinic/migration';

const MIGRATIONS = 'worker/clinic/migrations.ts';

/**
 * Finds SQL that a local SQLite accepts but D1's remote splitter breaks: it splits a file into statements by
 * undocumented rules. A clinic's migrations never pass through it, but one rule for both sets is simpler.
 */
export function problemsIn(sql: string): string[] {
  const problems: string[] = [];
  if (sql.includes('\r')) problems.push('has CR line endings; use LF only');
  if (sql.startsWith('\uFEFF')) problems.push('begins with a byte order mark');
  const code = withoutTexts(sql);
  if (!/;\s*$/.test(code)) problems.push('does not end with a semicolon');
  if (/(^|;)\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|END)\b(?!\s*\))/i.test(outsideTriggers(code)))
    problems.push('controls a transaction, but each file already runs as one');
  if (/\bPRAGMA\s+(?:foreign_keys|defer_foreign_keys)\b/i.test(code))
    problems.push('sets foreign_keys, which D1 ignores: never rebuild a table that others reference');
  for (const trigger of triggersIn(code)) problems.push(...problemsOfTrigger(trigger));
  return problems;
}

/** Replaces comments and quoted texts with spaces, since keywords in them have no meaning. */
const withoutTexts = (sql: string): string =>
  sql.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"/g, (text) => text.replace(/[^\n]/g, ' '));

const TRIGGER = /\bCREATE\s+(?:TEMP(?:ORARY)?\s+)?TRIGGER\b/i;
const END = /;\s*END\s*;/gi;

/** The triggers, each from its CREATE to its END, or to the end of the text if there is no END. */
function triggersIn(code: string): string[] {
  const triggers: string[] = [];
  for (let rest = code; ; ) {
    const start = TRIGGER.exec(rest)?.index;
    if (start === undefined) return triggers;
    END.lastIndex = start;
    const end = END.exec(rest);
    const to = end ? end.index + end[0].length : rest.length;
    triggers.push(rest.slice(start, to));
    rest = rest.slice(to);
  }
}

const outsideTriggers = (code: string): string =>
  triggersIn(code).reduce((rest, trigger) => rest.replace(trigger, ''), code);

function problemsOfTrigger(trigger: string): string[] {
  const [, name = ''] = /TRIGGER\s+(?:IF\s+NOT\s+EXISTS\s+)?(\w+)/i.exec(trigger) ?? [];
  const problems: string[] = [];
  const begins = trigger.match(/\bBEGIN\b/gi) ?? [];
  if (begins.length !== 1 || begins[0] !== 'BEGIN') problems.push(`the trigger ${name} needs one BEGIN in capitals`);
  if (!/;\s*END\s*;$/.test(trigger))
    problems.push(`the trigger ${name} must end with END; in capitals, after a semicolon`);
  if (hasBareCase(trigger)) problems.push(`the trigger ${name} has a CASE … END without parentheses around it`);
  return problems;
}

/** True if the trigger's body contains a CASE outside parentheses. */
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

/** Problems with the numbers of a set, which must begin at 100 without gaps or duplicates. */
export function problemsOfNumbers(files: string[]): string[] {
  return files.sort().flatMap((file, at) => {
    const number = Number(/(\d{4})_[^/\\]*$/.exec(file)?.[1]);
    const expected = FIRST_MIGRATION + at;
    return number === expected ? [] : [`${file}: its number must be 0${expected}`];
  });
}

/** A problem if the Worker's list does not import all migrations of a clinic in order. */
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
