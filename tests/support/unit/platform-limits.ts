import { type D1Question, hearD1 } from './d1-line.ts';

/** What the platform refuses and the local database lets pass. Bytes are of UTF-8. */
export const LIMITS = {
  valueBytes: 2_000_000,
  statementBytes: 100_000,
  values: 100,
  functionArguments: 32,
  queries: 1000,
};

const encoder = new TextEncoder();
const bytesOf = (value: unknown): number =>
  typeof value === 'string' ? encoder.encode(value).length : Array.isArray(value) ? value.length : 8;

/** Why the platform would refuse a statement; null: it would not. */
export function refusal({ sql, params }: D1Question): string | null {
  const over = (what: string, found: number, most: number) =>
    found > most ? `${found} ${what}, ${most} are allowed` : null;
  return (
    over('bytes of SQL', bytesOf(sql), LIMITS.statementBytes) ??
    over('bound values', params.length, LIMITS.values) ??
    over('bytes in one value', Math.max(0, ...params.map(bytesOf)), LIMITS.valueBytes) ??
    over('arguments of one function', mostArguments(sql), LIMITS.functionArguments)
  );
}

/** Functions of SQLite that take as many arguments as they are given. */
const OPEN_ENDED = /(?:^|\W)(?:coalesce|min|max|char|concat|concat_ws|format|printf|iif|if|jsonb?(?:_\w+)?)$/i;
/** What is no SQL but text, a name or a comment. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** The largest number of arguments that any function of a statement is called with. */
export function mostArguments(sql: string): number {
  let most = 0;
  const open: { isFunction: boolean; commas: number }[] = [];
  const bare = sql.replace(QUOTED, "''");
  for (const { 0: sign, index } of bare.matchAll(/[(),]/g)) {
    const innermost = open.at(-1);
    if (sign === '(') open.push({ isFunction: OPEN_ENDED.test(bare.slice(0, index).trimEnd()), commas: 0 });
    else if (sign === ',' && innermost) innermost.commas += 1;
    else if (sign === ')' && open.pop()?.isFunction) most = Math.max(most, (innermost?.commas ?? 0) + 1);
  }
  return most;
}

const refused: string[] = [];

/** Fail as the platform would. Noted, too: a call may fail where nobody looks at its error. */
export function refuse(why: string): never {
  if (!refused.includes(why)) refused.push(why);
  throw new Error(`D1_ERROR: ${why}`);
}

/** From now on what the platform would refuse fails on this binding as well. */
export function limitD1(d1: D1Database): void {
  hearD1(d1, {
    ask: (questions) => {
      for (const question of questions) {
        const why = refusal(question);
        if (why !== null) refuse(`${why}: ${question.sql.slice(0, 200)}`);
      }
    },
  });
}

/** What was refused since the last time. */
export const takeRefused = (): string[] => refused.splice(0);
