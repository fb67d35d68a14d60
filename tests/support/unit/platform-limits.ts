import { type D1Question, hearD1 } from './d1-line.ts';

/** Limits of the platform that the local database does not enforce. Bytes are of UTF-8. */
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

/** The platform's reason to refuse a statement, or null. */
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

/** Functions of SQLite that take any number of arguments. */
const OPEN_ENDED = /(?:^|\W)(?:coalesce|min|max|char|concat|concat_ws|format|printf|iif|if|jsonb?(?:_\w+)?)$/i;
/** Text, quoted names and comments, which are not SQL to count. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** The longest of those names, and room before it. */
const NAME_LENGTH = 40;

const counted = new Map<string, number>();

/** The largest number of arguments in any function call of a statement. The same texts come all the time. */
export function mostArguments(sql: string): number {
  const most = counted.get(sql) ?? countArguments(sql);
  counted.set(sql, most);
  return most;
}

function countArguments(sql: string): number {
  let most = 0;
  const open: { isFunction: boolean; commas: number }[] = [];
  const bare = sql.replace(QUOTED, "''");
  for (const { 0: sign, index } of bare.matchAll(/[(),]/g)) {
    const innermost = open.at(-1);
    if (sign === '(')
      open.push({
        isFunction: OPEN_ENDED.test(bare.slice(Math.max(0, index - NAME_LENGTH), index).trimEnd()),
        commas: 0,
      });
    else if (sign === ',' && innermost) innermost.commas += 1;
    else if (sign === ')' && open.pop()?.isFunction) most = Math.max(most, (innermost?.commas ?? 0) + 1);
  }
  return most;
}

const refused: string[] = [];

/** Fails as the platform would. Also recorded, because the caller may ignore the error. */
export function refuse(why: string): never {
  if (!refused.includes(why)) refused.push(why);
  throw new Error(`D1_ERROR: ${why}`);
}

/** From now on, statements that the platform would refuse fail on this binding too. `asked` hears of every call. */
export function limitD1(d1: D1Database, asked: () => void): void {
  hearD1(d1, {
    ask: (questions) => {
      asked();
      for (const question of questions) {
        const why = refusal(question);
        if (why !== null) refuse(`${why}: ${question.sql.slice(0, 200)}`);
      }
    },
  });
}

/** The refusals since the last time. */
export const takeRefused = (): string[] => refused.splice(0);
