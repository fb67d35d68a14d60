import { rolesWith } from '#shared/contracts/team-values';
import { oweMailToStaff } from '#worker/data/mail/owe-to-staff';
import type { Deps } from '#worker/deps';

/**
 * Owe every administrator of a clinic, `but` for one of them, a mail about what the operator did to a person's rights.
 * `who`: that person, as the clinic knows them. Answers the mails' ids.
 */
export async function tellAdmins(
  own: Deps,
  accountId: number,
  what: 'made' | 'invited' | 'unlocked',
  who: string,
  but?: number,
): Promise<string[]> {
  const mail = { id: `operator-acted-${own.newId()}`, kind: 'operator-acted' as const, details: { what, who } };
  const staff = { accountId, roles: rolesWith('administer'), ...(but === undefined ? {} : { but }) };
  return (await oweMailToStaff(own.db, staff, mail, own.now())).map(({ id }) => id);
}
