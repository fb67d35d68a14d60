import { env } from 'cloudflare:workers';
import { afterEach, inject } from 'vitest';
import { wrapMethod } from '../support/unit/wrap-method.ts';
import { COMPOSERS, ID_COLUMNS, leavesOf, type Sent } from './sent.ts';

/**
 * Notes each statement that the product sends to a clinic's database while a test runs. It wraps D1 for all code, so it finds the sender in
 * the stack and leaves out the tests' own statements.
 */
const url = inject('statementsUrl');
const MOST_IDS = 20_000;
const MOST_TRIES = 5;

type Noted = Omit<Sent, 'ids'>;

/** One state for all files of the run: each evaluates this module again, but D1 is wrapped once. */
type State = {
  noted: Map<string, Noted>;
  told: Map<string, number>;
  senders: Map<string, { from: string; tries: number }>;
  known: WeakMap<object, Pick<Sent, 'sql' | 'values' | 'from'>>;
  /** True during our own queries for ids. */
  isAsking: boolean;
};
const shared = globalThis as { statementsState?: State };
const isFirst = shared.statementsState === undefined;
shared.statementsState ??= {
  noted: new Map(),
  told: new Map(),
  senders: new Map(),
  known: new WeakMap(),
  isAsking: false,
};
const state = shared.statementsState;
const { noted, told, senders, known } = state;

if (url && isFirst) {
  Error.stackTraceLimit = 100;
  stand();
}
if (url) afterEach(tell);

function stand(): void {
  const database: object = Object.getPrototypeOf(env.DB) as object;
  const statement: object = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as object;
  wrapMethod(database, 'prepare', (call, self, [sql]) => {
    const prepared = call() as object;
    // Only a clinic's database grows with the clinic. The installation's, and two that hold the result of the migrations,
    // are others.
    const from = state.isAsking || self !== env.DB ? '' : senderOf(String(sql));
    if (from) known.set(prepared, { sql: String(sql), values: [], from });
    return prepared;
  });
  wrapMethod(statement, 'bind', (call, self, values) => {
    const bound = call() as object;
    const one = known.get(self);
    if (one) known.set(bound, { ...one, values: values.map(plain) });
    return bound;
  });
  for (const name of ['first', 'run', 'all', 'raw']) {
    wrapMethod(statement, name, async (call, self) => {
      const answer = await (call() as Promise<unknown>);
      note(self, answer);
      return answer;
    });
  }
  wrapMethod(database, 'batch', async (call, _, [statements]) => {
    const answers = (await (call() as Promise<unknown[]>)) satisfies unknown[];
    for (const [at, one] of (statements as object[]).entries()) note(one, answers[at]);
    return answers;
  });
}

const plain = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : value === null ? null : Number(value);

/**
 * The sender of a statement; empty for a test itself. Stacks are expensive, so each text is traced only a few times.
 */
function senderOf(sql: string): string {
  const { from, tries } = senders.get(sql) ?? { from: '', tries: 0 };
  if (from !== '' || tries === MOST_TRIES) return from;
  const found = senderIn(new Error().stack ?? '');
  senders.set(sql, { from: found, tries: tries + 1 });
  return found;
}

const TOOLS = /node_modules|tests\/statements\/record|tests\/support\/unit\/(?:trail-check|wrap-method)/;

/** The nearest function of ours that is not a test tool. */
function senderIn(stack: string): string {
  const own = stack
    .split('\n')
    .filter((line) => !TOOLS.test(line) && !COMPOSERS.some((file) => line.includes(`/${file}`)));
  const nearest = own.find((line) => /\/(worker|shared|tests)\//.test(line));
  const [, name = '', file = ''] = nearest?.match(/at (?:async )?(\S*).*?\/((?:worker|shared|tests)\/[^):]+)/) ?? [];
  if (nearest && (file.startsWith('tests/') || file.endsWith('.test.ts'))) return '';
  return nearest ? `${name.includes('/') ? '' : name} ${file}`.trim() : 'unknown';
}

function note(statement: object, answer: unknown): void {
  const one = known.get(statement);
  if (!one) return;
  const found = foundBy(answer);
  const before = noted.get(one.sql)?.found ?? told.get(one.sql) ?? -1;
  if (found > before) noted.set(one.sql, { ...one, found });
}

function foundBy(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer !== 'object' || answer === null) return answer === null || answer === undefined ? 0 : 1;
  const { results, meta } = answer as Partial<D1Result>;
  // `first` returns a row without its cost.
  return results ? results.length + (meta?.rows_written ?? 0) : 1;
}

/** Runs before the database is emptied and finds the values that are ids in it. */
async function tell(): Promise<void> {
  if (noted.size === 0) return;
  const statements = [...noted.values()];
  noted.clear();
  const where = await idsInDatabase();
  const sent: Sent[] = statements.map((statement) => {
    const ids: Record<string, string[]> = {};
    for (const leaf of new Set(statement.values.flatMap((value) => [...leavesOf(value)]))) {
      // An invoice's number may be typed in small letters.
      const columns = where.get(leaf) ?? (typeof leaf === 'string' ? where.get(leaf.toUpperCase()) : undefined);
      // A number and a text of the same digits are two ids.
      if (columns) ids[String(leaf)] = [...(ids[String(leaf)] ?? []), ...columns];
    }
    told.set(statement.sql, statement.found);
    return { ...statement, ids };
  });
  await fetch(url, { method: 'POST', body: JSON.stringify(sent) });
}

async function idsInDatabase(): Promise<Map<string | number, string[]>> {
  const where = new Map<string | number, string[]>();
  state.isAsking = true;
  // The statements of a clinic's database alone are drawn.
  const columns = ID_COLUMNS.filter((name) => env.TEST_SETS.DB.schema.tables.includes(name.split('.')[0] ?? ''));
  const questions = columns.map((name) => {
    const [table, column] = name.split('.');
    return env.DB.prepare(`SELECT DISTINCT ${column} AS id FROM ${table} LIMIT ${MOST_IDS}`);
  });
  state.isAsking = false;
  const answers = await env.DB.batch<{ id: string | number | null }>(questions);
  for (const [at, { results }] of answers.entries()) {
    for (const { id } of results) {
      // 'none' is the address of a payer without one, and words that are no ids at all.
      if (id !== null && id !== '' && id !== 'none') where.set(id, [...(where.get(id) ?? []), columns[at] ?? '']);
    }
  }
  return where;
}
