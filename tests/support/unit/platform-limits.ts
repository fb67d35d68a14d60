import { addListener, type D1Query } from './d1-line.ts';

/** Platform limits that the local database does not enforce. Bytes are UTF-8 bytes. */
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
export function refusal({ sql, params }: D1Query): string | null {
  const excessOf = (unit: string, actual: number, limit: number) =>
    actual > limit ? `${actual} ${unit}, ${limit} are allowed` : null;
  return (
    excessOf('bytes of SQL', bytesOf(sql), LIMITS.statementBytes) ??
    excessOf('bound values', params.length, LIMITS.values) ??
    excessOf('bytes in one value', Math.max(0, ...params.map(bytesOf)), LIMITS.valueBytes) ??
    excessOf('arguments of one function', maxArguments(sql), LIMITS.functionArguments)
  );
}

/** Functions of SQLite that take any number of arguments. */
const OPEN_ENDED = /(?:^|\W)(?:coalesce|min|max|char|concat|concat_ws|format|printf|iif|if|jsonb?(?:_\w+)?)$/i;
/** Text, quoted names and comments, which are not SQL to count. */
const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Characters to check before a parenthesis: the longest of those names and some space. */
const NAME_LENGTH = 40;

const countCache = new Map<string, number>();

/** The largest number of arguments in any function call of a statement. Cached, since the same texts recur. */
export function maxArguments(sql: string): number {
  const count = countCache.get(sql) ?? countArguments(sql);
  countCache.set(sql, count);
  return count;
}

function countArguments(sql: string): number {
  let max = 0;
  const open: { isFunction: boolean; commas: number }[] = [];
  const unquoted = sql.replace(QUOTED, "''");
  for (const { 0: sign, index } of unquoted.matchAll(/[(),]/g)) {
    const innermost = open.at(-1);
    if (sign === '(')
      open.push({
        isFunction: OPEN_ENDED.test(unquoted.slice(Math.max(0, index - NAME_LENGTH), index).trimEnd()),
        commas: 0,
      });
    else if (sign === ',' && innermost) innermost.commas += 1;
    else if (sign === ')' && open.pop()?.isFunction) max = Math.max(max, (innermost?.commas ?? 0) + 1);
  }
  return max;
}

const refusals: string[] = [];

/** Fails as the platform would. Also recorded, because the caller may ignore the error. */
export function refuse(reason: string): never {
  if (!refusals.includes(reason)) refusals.push(reason);
  throw new Error(`D1_ERROR: ${reason}`);
}

/** Makes statements fail on this binding if the platform would refuse them. `onCall` is called for every call. */
export function limitD1(d1: D1Database, onCall: () => void): void {
  addListener(d1, {
    ask: (questions) => {
      onCall();
      for (const question of questions) {
        const reason = refusal(question);
        if (reason !== null) refuse(`${reason}: ${question.sql.slice(0, 200)}`);
      }
    },
  });
}

/** Returns and clears the refusals since the last call. */
export const takeRefusals = (): string[] => refusals.splice(0);
