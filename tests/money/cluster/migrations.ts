import { readdir, readFile } from 'node:fs/promises';
import type { Migration } from '#worker/clinic/facade';
import { type Edit, EditError, ROOT, replaceOnce } from './edits.ts';

type Set = 'clinic' | 'installation';

/** One set of migrations, in order, after the given edits. */
export async function readMigrationFiles(edits: Edit[], set: Set = 'clinic'): Promise<Migration[]> {
  const folder = `migrations/${set}`;
  const names = (await readdir(`${ROOT}${folder}`)).filter((name) => name.endsWith('.sql')).sort();
  const foreign = edits.filter(({ file }) => !names.includes(file.replace(`${folder}/`, '')));
  if (foreign.length > 0) throw new EditError(`no such migration: ${foreign.map(({ file }) => file).join(', ')}`);
  return Promise.all(
    names.map(async (name) => {
      const own = edits.filter(({ file }) => file === `${folder}/${name}`);
      return { name, sql: own.reduce(replaceOnce, await readFile(`${ROOT}${folder}/${name}`, 'utf8')) };
    }),
  );
}

/** Every statement of one set of migrations, in order, after the given edits. */
export async function readMigrations(edits: Edit[], set: Set = 'clinic'): Promise<string[]> {
  return (await readMigrationFiles(edits, set)).flatMap(({ sql }) => split(sql));
}

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|;|\w+|[^\w;]/g;

/** A statement ends at a semicolon, a trigger at the one after its END. */
function split(sql: string): string[] {
  const statements: string[] = [];
  let current = '';
  for (const [token] of sql.matchAll(TOKEN)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue;
    const isEnd = token === ';' && (!/^\s*CREATE\s+(TEMP\s+)?TRIGGER/i.test(current) || /\bEND\s*$/i.test(current));
    if (!isEnd) current += token;
    else {
      statements.push(current.trim());
      current = '';
    }
  }
  if (current.trim()) statements.push(current.trim());
  return statements;
}
