import { describe, expect, it } from 'vitest';
import { clinicWorld, useObjects } from '#tests/support/operate-world';
import { insertRow } from '#tests/support/unit/insert-row';
import { sendMail } from '#worker/domain/mail/send';
import { openSession } from '#worker/domain/merchants/session';
import { unlockStaff } from './access.ts';

useObjects();

/** A clinic in its own object with Ana (1), an administrator, and Ben (2). Each has a passkey, PIN and two sessions. */
async function makeLockedOutStaff(options: { role?: string } = {}) {
  const world = await clinicWorld();
  const { clinicDeps, accountId, installation } = world;
  const db = clinicDeps.db.$client;
  const insert =
    'INSERT INTO users (account_id, user_id, email, role, is_confirmed, last_login_at) VALUES (?, ?, ?, ?, 1, 0)';
  await db.prepare(insert).bind(accountId, 1, 'Ana@maple.example', 'admin').run();
  await db
    .prepare(insert)
    .bind(accountId, 2, 'ben@maple.example', options.role ?? 'desk')
    .run();
  for (const userId of [1, 2]) {
    await insertRow(db, 'staff_passkeys', {
      id: `key${userId}`,
      account_id: accountId,
      user_id: userId,
      transports: '[]',
    });
    await insertRow(db, 'pins', { account_id: accountId, user_id: userId });
    for (const label of ['desk', 'phone'])
      await openSession(clinicDeps, { accountId, userId }, { beganBy: 'passkey', label });
  }
  const count = async (sql: string) => (await db.prepare(sql).first<number>('n')) ?? -1;
  const factorsOf = async (userId: number) => [
    await count(`SELECT count(*) AS n FROM staff_passkeys WHERE user_id = ${userId}`),
    await count(`SELECT count(*) AS n FROM pins WHERE user_id = ${userId}`),
    await count(`SELECT count(*) AS n FROM sessions WHERE user_id = ${userId} AND revoked_at IS NULL`),
  ];
  const unlock = (email: string, account = accountId) => unlockStaff(installation, account, email);
  return { clinicDeps, accountId, unlock, factorsOf, db };
}

describe('unlocking a staff member who lost passkeys and PIN', () => {
  it('removes their passkeys, PIN and sessions but nothing of other users', async () => {
    const { unlock, factorsOf } = await makeLockedOutStaff();
    expect(await unlock('ana@maple.example')).toMatchObject({ mailIds: [expect.any(String)] });
    expect([await factorsOf(1), await factorsOf(2)]).toEqual([
      [0, 0, 0],
      [1, 1, 2],
    ]);
  });

  it('is recorded in the clinic’s trail as an action of the system', async () => {
    const { unlock, db } = await makeLockedOutStaff();
    await unlock('ana@maple.example');
    const { results } = await db
      .prepare(
        "SELECT action, actor_kind, subject_id FROM audit_events WHERE action IN ('factors.removed', 'sessions.ended')",
      )
      .all();
    expect(results).toEqual([
      { action: 'factors.removed', actor_kind: 'system', subject_id: '1' },
      { action: 'sessions.ended', actor_kind: 'system', subject_id: '1' },
    ]);
  });

  it('mails them and every other administrator, and no one else', async () => {
    const { unlock } = await makeLockedOutStaff({ role: 'admin' });
    const unlocked = await unlock('ana@maple.example');
    const sentMails: { to: string; subject: string; text: string }[] = [];
    const mailer = {
      send: async (mail: (typeof sentMails)[number]) => {
        sentMails.push(mail);
        return 'sent' as const;
      },
    };
    for (const id of unlocked?.mailIds ?? [])
      await sendMail({ ...(unlocked?.clinicDeps ?? throwNotUnlocked()), mailer }, id);
    expect(sentMails.map(({ to }) => to)).toEqual(['Ana@maple.example', 'ben@maple.example']);
    expect(sentMails[0]?.text).toMatch(
      /^Support of .* took away your passkeys and your PIN, and ended every login of yours/,
    );
    expect(sentMails[1]?.text).toMatch(/^Support of .* took the passkeys and the PIN of Ana@maple.example away/);
  });

  it('does nothing for an unknown person, a person without passkey and PIN, or an unknown account', async () => {
    const { unlock, db } = await makeLockedOutStaff();
    expect(await unlock('eve@maple.example')).toBeNull();
    expect(await unlock('ana@maple.example', 4711)).toBeNull();
    expect(await unlock('ana@maple.example', 0)).toBeNull();
    await unlock('ana@maple.example');
    expect(await unlock('ana@maple.example')).toBeNull();
    expect(await db.prepare("SELECT count(*) AS n FROM audit_events WHERE action = 'factors.removed'").first('n')).toBe(
      1,
    );
  });
});

function throwNotUnlocked(): never {
  throw new Error('nothing was unlocked');
}
