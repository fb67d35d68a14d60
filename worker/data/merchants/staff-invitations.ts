import { and, eq, isNull, sql } from 'drizzle-orm';
import { outbox, staffInvitations } from '#worker/data/schema/schema';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';
import type { NewMail } from '../mail/outbox.ts';
import { selectValues } from '../select-values.ts';
import { isAdministrator, isOpen, type Member, type StaffInvitationRow } from './team.ts';

/** Whether somebody with this address is a member, and how many invitations are open, in one statement. */
export async function findInvited(db: Db, accountId: number, email: string, now: number) {
  const row = await db.get<{ is_member: number; open: number }>(sql`SELECT
    EXISTS (SELECT 1 FROM users WHERE account_id = ${accountId} AND email = ${email} COLLATE NOCASE
      AND removed_at IS NULL) AS is_member,
    (SELECT count(*) FROM invitations WHERE account_id = ${accountId} AND ended_at IS NULL AND ends_at > ${now}) AS open`);
  return { isMember: row.is_member === 1, open: row.open };
}

/**
 * Keep an invitation with its mail; an earlier one to the same address ends. False: `by` is no administrator any more.
 */
export async function insertInvitation(
  db: Db,
  by: Member | null,
  row: StaffInvitationRow,
  { details = {}, ...mail }: NewMail,
  event: NewEvent,
): Promise<boolean> {
  const { accountId, email, createdAt } = row;
  const may = isAdministrator(by);
  const owed = { ...mail, details: JSON.stringify(details), nextTryAt: createdAt, createdAt };
  const [, kept] = await db.batch([
    db
      .update(staffInvitations)
      .set({ endedAt: createdAt })
      .where(
        and(
          eq(staffInvitations.accountId, accountId),
          sql`email = ${email} COLLATE NOCASE`,
          isNull(staffInvitations.endedAt),
          may,
        ),
      ),
    db
      .insert(staffInvitations)
      .select(selectValues(staffInvitations, row, may))
      .returning({ id: staffInvitations.id }),
    eventWrite(db, event),
    db.insert(outbox).select(selectValues(outbox, owed, sql`EXISTS (SELECT 1 FROM invitations WHERE id = ${row.id})`)),
  ]);
  return kept.length === 1;
}

/** Take an open invitation back. False: there is none of this id, or `by` is no administrator any more. */
export async function endInvitation(db: Db, by: Member, id: string, now: number, event: NewEvent): Promise<boolean> {
  const [ended] = await db.batch([
    db
      .update(staffInvitations)
      .set({ endedAt: now })
      .where(
        and(
          eq(staffInvitations.id, id),
          eq(staffInvitations.accountId, by.accountId),
          isOpen(now),
          isAdministrator(by),
        ),
      )
      .returning({ id: staffInvitations.id }),
    eventWrite(db, event),
  ]);
  return ended.length === 1;
}
