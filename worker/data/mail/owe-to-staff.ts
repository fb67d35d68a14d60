import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { type StaffRole, SUPPORT_USER } from '#shared/contracts/team-values';
import { outbox } from '#worker/data/schema/mail';
import type { Db } from '../db.ts';
import type { NewMail } from './outbox.ts';

/** More than may decide anything in a clinic. */
const MOST = 20;

type Staff = { accountId: number; roles: readonly StaffRole[]; but?: number };

/**
 * Owe a mail to everybody of an account with one of these roles, `but` for one of them: a statement for the batch that
 * makes it due, or to be awaited alone. Each mail's id begins with `mail.id`, so a repeat owes nothing. `condition`: SQL
 * that has to hold. `now`: UTC ms.
 */
export function oweMailToStaff(
  db: Db,
  { accountId, roles, but = SUPPORT_USER }: Staff,
  mail: Omit<NewMail, 'recipient' | 'accountId'>,
  now: number,
  condition: SQL = sql`1`,
) {
  const row: Record<string, SQL | string | number> = {
    ...{ ...mail, id: sql`${mail.id} || '-' || user_id`, details: JSON.stringify(mail.details ?? {}) },
    ...{ accountId, recipient: sql`email`, nextTryAt: now, createdAt: now },
  };
  const values = Object.entries(getTableColumns(outbox)).map(
    ([key, column]) => sql`${row[key] ?? column.default ?? null}`,
  );
  return db
    .insert(outbox)
    .select(
      sql`SELECT ${sql.join(values, sql`, `)} FROM users WHERE account_id = ${accountId} AND removed_at IS NULL
        AND role IN (SELECT value FROM json_each(${JSON.stringify(roles)})) AND email <> '' AND user_id > ${SUPPORT_USER}
        AND user_id <> ${but} AND ${condition} ORDER BY user_id LIMIT ${MOST}`,
    )
    .onConflictDoNothing()
    .returning({ id: outbox.id });
}
