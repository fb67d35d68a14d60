import { eventStatement, type TextEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { DeclaredTable } from '../schema/table.ts';
import type { Trigger } from './restore.ts';

/** Numbers that the directory leaves out behind those of a dump: clinics of after it have theirs. */
const LEFT_OUT = 1000;

/** Whether there is anything that a restore would take the place of: a clinic, an account or an operator. */
export const isInUse = async ({ $client }: Db): Promise<boolean> =>
  (await $client
    .prepare(
      `SELECT EXISTS (SELECT 1 FROM clinics) + EXISTS (SELECT 1 FROM content_users) + EXISTS (SELECT 1 FROM operators) AS n`,
    )
    .first<number>('n')) !== 0;

/** Delete what a new installation has by itself: rows of its schedule and of the calls that put it back. */
export async function emptyTables({ $client }: Db, tables: readonly DeclaredTable[]): Promise<void> {
  await $client.batch([
    $client.prepare('DELETE FROM alert_accounts'),
    ...[...tables].reverse().map(({ name }) => $client.prepare(`DELETE FROM ${name}`)),
  ]);
}

/** Put the triggers back, in one transaction with the event where the restore came to its end. `at`: UTC ms. */
export async function endInstallation({ $client }: Db, at: number, event: TextEvent | null): Promise<void> {
  const { results } = await $client.prepare('SELECT name, text FROM waiting_triggers').all<Trigger>();
  await $client.batch([
    $client.prepare("UPDATE outbox SET state = 'failed', details = '{}', sent_at = ?1 WHERE state = 'due'").bind(at),
    $client
      .prepare(
        `INSERT INTO clinics (number, founded_at, erased_at) SELECT max(number) + ${LEFT_OUT}, ?1, ?1 FROM clinics HAVING count(*) > 0`,
      )
      .bind(at),
    ...results.map(({ text }) => $client.prepare(text)),
    $client.prepare('DELETE FROM waiting_triggers'),
    ...(event ? [eventStatement($client, event, '1')] : []),
  ]);
}
