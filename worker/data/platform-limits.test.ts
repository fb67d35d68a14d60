import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { meteredDb } from '#tests/support/unit/meter';
import { LIMITS, maxArguments, takeRefusals } from '#tests/support/unit/platform-limits';
import { openDb } from './db.ts';
import { accounts } from './schema/schema.ts';

const { DB } = env;
const placeholders = (count: number) => Array.from({ length: count }, () => '?').join(', ');
const ones = (count: number) => Array.from({ length: count }, () => 1);

/** Runs a statement. Returns its error, and the number of refusals that would have failed the suite. */
async function runStatement(statement: D1PreparedStatement) {
  const error = await statement.all().then(
    () => null,
    (cause: unknown) => String(cause),
  );
  return { error, refused: takeRefusals().length };
}

describe('the platform’s limits in tests', () => {
  const cases: [what: string, statementOf: (isMax: boolean) => D1PreparedStatement, message: RegExp][] = [
    [
      'a value of more than 2 MB',
      (isMax) => DB.prepare('SELECT length(?)').bind('é'.repeat(LIMITS.valueBytes / 2 + (isMax ? 0 : 1))),
      /bytes in one value/,
    ],
    [
      'a statement of more than 100 kB',
      (isMax) => DB.prepare(`SELECT 1 /*${'x'.repeat(LIMITS.statementBytes - 13 + (isMax ? 0 : 1))}*/`),
      /bytes of SQL/,
    ],
    [
      'more than 100 bound values',
      (isMax) => DB.prepare(`SELECT 1 IN (${placeholders(isMax ? 100 : 101)})`).bind(...ones(isMax ? 100 : 101)),
      /bound values/,
    ],
    [
      'a function of more than 32 arguments',
      (isMax) => DB.prepare(`SELECT coalesce(${placeholders(isMax ? 32 : 33)})`).bind(...ones(isMax ? 32 : 33)),
      /arguments of one function/,
    ],
  ];

  it.each(cases)('reject %s and accept the maximum', async (_title, statementOf, message) => {
    expect(await runStatement(statementOf(true))).toEqual({ error: null, refused: 0 });
    const { error, refused } = await runStatement(statementOf(false));
    expect(error).toMatch(message);
    expect(refused).toBe(1);
  });

  it('apply to a statement in a batch and to a drizzle statement', async () => {
    const long = 'x'.repeat(LIMITS.valueBytes + 1);
    await expect(DB.batch([DB.prepare('SELECT 1'), DB.prepare('SELECT ?').bind(long)])).rejects.toThrow(/one value/);
    await expect(openDb(DB).select().from(accounts).where(eq(accounts.name, long))).rejects.toThrow(/Failed query/);
    expect(takeRefusals()).toHaveLength(2);
  });

  it('reject more than 1,000 queries per invocation, with a batch counted as one', async () => {
    const { db, take } = meteredDb(DB);
    const runBatch = () => db.$client.batch([db.$client.prepare('SELECT 1'), db.$client.prepare('SELECT 2')]);
    for (let n = 0; n < LIMITS.queries; n++) await runBatch();
    await expect(runBatch()).rejects.toThrow(/1000 queries/);
    expect(takeRefusals()).toHaveLength(1);
    take();
    await runBatch();
  });

  it('count the arguments of functions, not the columns of a list or the words of a string', () => {
    const list = placeholders(40);
    expect(maxArguments(`INSERT INTO t (${list}) VALUES (${list}) -- json_array(${list})`)).toBe(0);
    expect(maxArguments(`SELECT a IN (${list}), 'max(${list})', "min"`)).toBe(0);
    expect(maxArguments(`SELECT json_object('a', max(1, 2), 'b', (SELECT ${list}))`)).toBe(4);
    expect(maxArguments(`SELECT coalesce(json_array(${list}), 1)`)).toBe(40);
  });
});
