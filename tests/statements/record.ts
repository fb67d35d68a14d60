import { env } from 'cloudflare:workers';
import { afterEach, inject } from 'vitest';
import { wrapMethod } from '../support/unit/wrap-method.ts';
import { COMPOSERS, ID_COLUMNS, leavesOf, type SentStatement } from './sent.ts';

/**
 * Records each statement that the product sends to a clinic's database while a test runs. It wraps D1 for all code, so
 * it finds the sender in the stack and ignores the tests' own statements.
 */
const url = inject('statementsUrl');
const MOST_IDS = 20_000;
const MOST_TRIES = 5;

type RecordedStatement = Omit<SentStatement, 'ids'>;

/** One state for all files of the run: each file evaluates this module again, but D1 is wrapped only once. */
type State = {
  /** Statements that are not posted yet, by text. */
  recorded: Map<string, RecordedStatement>;
  /** The most rows that each posted statement found, by text. */
  posted: Map<string, number>;
  senders: Map<string, { from: string; tries: number }>;
  prepared: WeakMap<object, Pick<SentStatement, 'sql' | 'values' | 'from'>>;
  /** True during this module's own queries for ids. */
  isQueryingIds: boolean;
};
const shared = globalThis as { statementsState?: State };
const isFirst = shared.statementsState === undefined;
shared.statementsState ??= {
  recorded: new Map(),
  posted: new Map(),
  senders: new Map(),
  prepared: new WeakMap(),
  isQueryingIds: false,
};
const state = shared.statementsState;
const { recorded, posted, senders, prepared } = state;

if (url && isFirst) {
  Error.stackTraceLimit = 100;
  wrapD1();
}
if (url) afterEach(postStatements);

function wrapD1(): void {
  const database: object = Object.getPrototypeOf(env.DB) as object;
  const preparedStatement: object = Object.getPrototypeOf(env.DB.prepare('SELECT 1')) as object;
  wrapMethod(database, 'prepare', (call, self, [sql]) => {
    const statement = call() as object;
    // Only a clinic's database grows with the clinic; the installation's and those of the migration tests do not.
    const from = state.isQueryingIds || self !== env.DB ? '' : senderOf(String(sql));
    if (from) prepared.set(statement, { sql: String(sql), values: [], from });
    return statement;
  });
  wrapMethod(preparedStatement, 'bind', (call, self, values) => {
    const bound = call() as object;
    const sent = prepared.get(self);
    if (sent) prepared.set(bound, { ...sent, values: values.map(plain) });
    return bound;
  });
  for (const name of ['first', 'run', 'all', 'raw']) {
    wrapMethod(preparedStatement, name, async (call, self) => {
      const answer = await (call() as Promise<unknown>);
      recordStatement(self, answer);
      return answer;
    });
  }
  wrapMethod(database, 'batch', async (call, _, [statements]) => {
    const answers = (await (call() as Promise<unknown[]>)) satisfies unknown[];
    for (const [at, batched] of (statements as object[]).entries()) recordStatement(batched, answers[at]);
    return answers;
  });
}

const plain = (value: unknown): string | number | null =>
  typeof value === 'string' || typeof value === 'number' ? value : value === null ? null : Number(value);

/** The sender of a statement; empty for a test itself. Stacks are slow, so each text is traced only a few times. */
function senderOf(sql: string): string {
  const { from, tries } = senders.get(sql) ?? { from: '', tries: 0 };
  if (from !== '' || tries === MOST_TRIES) return from;
  const sender = senderIn(new Error().stack ?? '');
  senders.set(sql, { from: sender, tries: tries + 1 });
  return sender;
}

const TOOLS = /node_modules|tests\/statements\/record|tests\/support\/unit\/(?:trail-check|wrap-method)/;

/** The nearest function of this repository that is not a test tool, and its file. */
function senderIn(stack: string): string {
  const frames = stack
    .split('\n')
    .filter((line) => !TOOLS.test(line) && !COMPOSERS.some((file) => line.includes(`/${file}`)));
  const nearest = frames.find((line) => /\/(worker|shared|tests)\//.test(line));
  const [, name = '', file = ''] = nearest?.match(/at (?:async )?(\S*).*?\/((?:worker|shared|tests)\/[^):]+)/) ?? [];
  if (nearest && (file.startsWith('tests/') || file.endsWith('.test.ts'))) return '';
  return nearest ? `${name.includes('/') ? '' : name} ${file}`.trim() : 'unknown';
}

function recordStatement(statement: object, answer: unknown): void {
  const sent = prepared.get(statement);
  if (!sent) return;
  const found = foundBy(answer);
  const previousFound = recorded.get(sent.sql)?.found ?? posted.get(sent.sql) ?? -1;
  if (found > previousFound) recorded.set(sent.sql, { ...sent, found });
}

function foundBy(answer: unknown): number {
  if (Array.isArray(answer)) return answer.length;
  if (typeof answer !== 'object' || answer === null) return answer === null || answer === undefined ? 0 : 1;
  const { results, meta } = answer as Partial<D1Result>;
  // `first` returns a row without its cost.
  return results ? results.length + (meta?.rows_written ?? 0) : 1;
}

/** Posts the statements of a test before its database is emptied, with the values that are ids in it. */
async function postStatements(): Promise<void> {
  if (recorded.size === 0) return;
  const statements = [...recorded.values()];
  recorded.clear();
  const columnsOf = await idsInDatabase();
  const sent: SentStatement[] = statements.map((statement) => {
    const ids: Record<string, string[]> = {};
    for (const leaf of new Set(statement.values.flatMap((value) => [...leavesOf(value)]))) {
      // An invoice number may be typed in lower case.
      const columns = columnsOf.get(leaf) ?? (typeof leaf === 'string' ? columnsOf.get(leaf.toUpperCase()) : undefined);
      // A number and a text with the same digits are two different ids.
      if (columns) ids[String(leaf)] = [...(ids[String(leaf)] ?? []), ...columns];
    }
    posted.set(statement.sql, statement.found);
    return { ...statement, ids };
  });
  await fetch(url, { method: 'POST', body: JSON.stringify(sent) });
}

async function idsInDatabase(): Promise<Map<string | number, string[]>> {
  const found = new Map<string | number, string[]>();
  state.isQueryingIds = true;
  // Only statements of a clinic's database are replayed.
  const columns = ID_COLUMNS.filter((name) => env.TEST_SETS.DB.schema.tables.includes(name.split('.')[0] ?? ''));
  const queries = columns.map((name) => {
    const [table, column] = name.split('.');
    return env.DB.prepare(`SELECT DISTINCT ${column} AS id FROM ${table} LIMIT ${MOST_IDS}`);
  });
  state.isQueryingIds = false;
  const answers = await env.DB.batch<{ id: string | number | null }>(queries);
  for (const [at, { results }] of answers.entries()) {
    for (const { id } of results) {
      // 'none' stands for a payer without an address, and is also a plain word.
      if (id !== null && id !== '' && id !== 'none') found.set(id, [...(found.get(id) ?? []), columns[at] ?? '']);
    }
  }
  return found;
}
