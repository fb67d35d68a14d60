import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readMigrations } from '#tests/money/cluster/migrations';
import { table } from '#tests/money/report';
import { type Excuse, growthExcuses } from './growth-excuses.ts';
import { noRowsExcuses } from './no-rows-excuses.ts';
import { type Clinics, type Replayed, replay } from './replay.ts';
import { seedClinic } from './seed.ts';
import { CLOCK } from './seed-parts.ts';
import { SENDERS, type SentStatement, type SentStatements } from './sent.ts';
import { openStores } from './store.ts';

const [SMALL, BIG] = [1000, 100_000];
/** The rows that one page of a list reads; smaller differences are insignificant. */
const FEW = 25;

let sending: SentStatements;
let stores: Awaited<ReturnType<typeof openStores>>;
let clinics: Clinics;
let replayed: Replayed[];

// If run alone, this file runs the unit tests first.
beforeAll(async () => {
  sending = await readSending();
}, 3_000_000);
beforeAll(async () => {
  stores = await openStores();
  clinics = { alone: stores.store('alone'), shared: stores.store('both'), small: 7_000_002, big: 7_000_001 };
  const tables = (await readMigrations()).map((sql) => ({ sql, values: [] }));
  for (const store of [clinics.alone, clinics.shared]) {
    await store.run(tables);
    await store.run([...seedClinic(clinics.small, SMALL)]);
  }
  for (const call of seedClinic(clinics.big, BIG)) await clinics.shared.run([call]);
  replayed = await replay(sending, clinics);
}, 900_000);
afterAll(() => stores.close());

/** The statements of the unit tests; runs these first if they were not recorded yet. */
async function readSending(): Promise<SentStatements> {
  const recordedFile = process.env.TILLWAY_STATEMENTS;
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as SentStatements;
  if (recordedFile && existsSync(recordedFile)) return read(recordedFile);
  const folder = mkdtempSync(path.join(tmpdir(), 'tillway-statements-'));
  const file = path.join(folder, 'statements.json');
  const run = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit'];
  // The tests need not pass here.
  await promisify(execFile)(process.execPath, run, {
    env: { ...process.env, TILLWAY_STATEMENTS: file },
    maxBuffer: 100_000_000,
  }).catch((cause: unknown) => {
    if (!existsSync(file)) throw cause;
  });
  const recorded = read(file);
  rmSync(folder, { recursive: true });
  return recorded;
}

const oneLine = (sql: string) => sql.replaceAll(/\s+/g, ' ').trim();
const nameOf = ({ sent }: Replayed) => `${sent.from}: ${oneLine(sent.sql).slice(0, 400)}`;
const costsOf = ({ alone, beside, big }: Replayed) => `${alone}, beside a big one ${beside}, big ${big}`;

const applies = ({ file, pattern }: Excuse, { sent }: Replayed) =>
  sent.from.endsWith(file) && pattern.test(oneLine(sent.sql));

/** True if a bigger clinic, its own or a neighbour, more than doubles the rows read. */
const grows = ({ alone, beside, big }: Replayed) => Math.max(beside, big) > Math.max(2 * alone, FEW);

describe('statements sent by the unit tests', () => {
  it('are numerous and cover every module with a clinic’s records', () => {
    expect(replayed.length).toBeGreaterThan(200);
    const files = new Set(replayed.map(({ sent }) => sent.from.split(' ').at(-1)));
    expect([...files]).toEqual(expect.arrayContaining(SENDERS));
  });

  it('read at most twice as many rows for a clinic of 100,000 invoices as for one of 1,000', () => {
    const unexcused = replayed.filter(
      (result) => grows(result) && !growthExcuses.some((excuse) => applies(excuse, result)),
    );
    expect(unexcused.map((result) => `${nameOf(result)}\n  rows read: ${costsOf(result)}`)).toEqual([]);
  });

  it('find rows in the big clinic as they did in their own test', () => {
    const failed = replayed.filter(({ error }) => error !== '');
    expect(failed.map((result) => `${nameOf(result)} ${result.error}`)).toEqual([]);
    const empty = replayed.filter(({ sent, found }) => sent.found > 0 && found === 0);
    const unexcused = empty.filter((result) => !noRowsExcuses.some((excuse) => applies(excuse, result)));
    expect(unexcused.map((result) => `${nameOf(result)} ${JSON.stringify(result.sent.values)}`)).toEqual([]);
  });

  it('have exceptions only where they need them', () => {
    const isNeeded = (excuse: Excuse) => replayed.some((result) => grows(result) && applies(excuse, result));
    expect(growthExcuses.filter((excuse) => !excuse.isBySpan && !isNeeded(excuse))).toEqual([]);
    const worst = replayed.filter(grows).sort((a, b) => b.big - a.big);
    const rows = worst.map((result) => [result.sent.from, oneLine(result.sent.sql).slice(0, 60), costsOf(result)]);
    console.log(`\n${table(['sent by', 'statement', 'rows read'], rows)}\n`);
  });
});

describe('a statement whose cost grows with the clinic', () => {
  /** A former statement that wrote names to invoices by comparing every invoice of the clinic with every name. */
  const RENAME = `UPDATE invoices SET
    contact_first_name = p.first_name, contact_last_name = p.last_name, contact_email = p.email
  FROM json_each(?2) AS j CROSS JOIN contacts AS p
  WHERE p.account_id = ?1 AND p.contact_id = j.value ->> 'id'
    AND invoices.account_id = ?1 AND invoices.contact_id = p.contact_id AND invoices.deleted_at IS NULL
    AND (contact_first_name, contact_last_name, contact_email) IS NOT (p.first_name, p.last_name, p.email)`;

  it('is detected by the replay', async () => {
    const statement: SentStatement = {
      sql: RENAME,
      values: [1, JSON.stringify([{ id: '11' }, { id: '12' }])],
      from: 'syncWrites worker/data/crm-sync/records.ts',
      found: 0,
      ids: { '1': ['accounts.account_id'], '11': ['contacts.contact_id'], '12': ['contacts.contact_id'] },
    };
    const [result] = await replay({ at: CLOCK, statements: [statement] }, clinics);
    expect(result && grows(result)).toBe(true);
    expect(result?.error).toBe('');
  });
});
