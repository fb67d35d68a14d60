import { readdir, readFile } from 'node:fs/promises';
import { ROOT } from './edits.ts';

type Set = 'clinic' | 'installation';

/** Returns every statement of one set of migrations, in order. */
export async function readMigrations(set: Set = 'clinic'): Promise<string[]> {
  const folder = `${ROOT}migrations/${set}`;
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const texts = await Promise.all(names.map((name) => readFile(`${folder}/${name}`, 'utf8')));
  return texts.flatMap(split);
}

const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"[^"]*"|;|\w+|[^\w;]/g;

/** Splits SQL into statements. A statement ends at a semicolon, a trigger at the semicolon after its END. */
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
