import { resolutions } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import { prepare, rawSql } from '../sql.ts';

/** Returns those of these payments that staff have declared not to be duplicates. */
export async function findNotDuplicates({ $client }: Db, attemptIds: string[]): Promise<Set<string>> {
  const { results } = await prepare(
    $client,
    rawSql`SELECT attempt_id AS id FROM resolutions WHERE verdict = 'not-duplicate'
      AND attempt_id IN (SELECT value FROM json_each(${JSON.stringify(attemptIds)}))`,
  ).all<{ id: string }>();
  return new Set(results.map(({ id }) => id));
}

type NotDuplicate = Omit<typeof resolutions.$inferInsert, 'id' | 'verdict'>;

/** Declare payments not to be duplicates, each once. False if all of them were declared before. */
export async function insertNotDuplicates(db: Db, payments: NotDuplicate[], event: NewEvent): Promise<boolean> {
  const rows = payments.map((payment) => ({
    ...payment,
    id: `not-duplicate-${payment.attemptId}`,
    verdict: 'not-duplicate' as const,
  }));
  const [inserted] = await db.batch([
    db.insert(resolutions).values(rows).onConflictDoNothing().returning({ id: resolutions.id }),
    eventWrite(db, event),
  ]);
  return inserted.length > 0;
}
