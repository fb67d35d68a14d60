import { readdir, readFile } from 'node:fs/promises';
import { type Edit, EditError, ROOT, replaceOnce } from './bundle.ts';

/** Every statement of one set of migrations, in order, after the given edits. */
export async function readMigrations(edits: Edit[], set: 'clinic' | 'installation' = 'clinic'): Promise<string[]> {
  const folder = `migrations/${set}`;
  const files = (await readdir(`${ROOT}${folder}`)).filter((name) => name.endsWith('.sql')).sort();
  const foreign = edits.filter(({ file }) => !files.includes(file.replace(`${folder}/`, '')));
  if (foreign.length > 0) throw new EditError(`no such migration: ${foreign.map(({ file }) => file).join(', ')}`);
  const statements: string[] = [];
  for (const name of files) {
    const own = edits.filter(({ file }) => file === `${folder}/${name}`);
    statements.push(...split(own.reduce(replaceOnce, await readFile(`${ROOT}${folder}/${name}`, 'utf8'))));
  }
  return statements;
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
