import { describe, expect, it } from 'vitest';
import { clinicWorld, useObjects } from '#tests/support/operate-world';
import { readTeam } from '#worker/data/merchants/team';
import { handOverClinic } from './access.ts';

useObjects();

/** A clinic in its own object, with a first administrator and a colleague at the desk. */
async function makeStaffedClinic() {
  const world = await clinicWorld();
  const { clinicDeps, accountId, installation } = world;
  const insert =
    'INSERT INTO users (account_id, user_id, email, role, is_confirmed, last_login_at) VALUES (?, ?, ?, ?, ?, 0)';
  for (const row of [
    [1, 'first@maple.example', 'admin', 0],
    [2, 'Ana@maple.example', 'desk', 1],
  ])
    await clinicDeps.db.$client
      .prepare(insert)
      .bind(accountId, ...row)
      .run();
  const team = () => readTeam(clinicDeps.db, accountId, clinicDeps.now());
  const handOver = (email: string, account = accountId) => handOverClinic(installation, account, email);
  return { world, team, handOver };
}

describe('handing over a clinic', () => {
  it('makes a member a confirmed administrator, and names the other administrators', async () => {
    const { team, handOver, world } = await makeStaffedClinic();
    expect(await handOver('ana@maple.example')).toMatchObject({ kind: 'made', others: ['first@maple.example'] });
    expect((await team()).members[1]).toMatchObject({ userId: 2, role: 'admin', isConfirmed: true });
    const { results } = await world.clinicDeps.db.$client
      .prepare("SELECT actor_kind, subject_id FROM audit_events WHERE action = 'staff.changed'")
      .all();
    expect(results).toEqual([{ actor_kind: 'system', subject_id: '2' }]);
  });

  it('invites a person outside the team, and removes no one', async () => {
    const { team, handOver } = await makeStaffedClinic();
    expect(await handOver('new@maple.example')).toMatchObject({ kind: 'invited', others: ['first@maple.example'] });
    const { members, invitations } = await team();
    expect(members.map(({ role }) => role)).toEqual(['admin', 'desk']);
    expect(invitations).toMatchObject([{ email: 'new@maple.example', role: 'admin', invitedBy: null }]);
  });

  it('confirms an existing administrator', async () => {
    const { team, handOver } = await makeStaffedClinic();
    expect(await handOver('first@maple.example')).toMatchObject({ kind: 'made', others: [] });
    expect((await team()).members[0]).toMatchObject({ role: 'admin', isConfirmed: true });
  });

  it('mails every administrator, including earlier ones', async () => {
    const { handOver, world } = await makeStaffedClinic();
    const mails = async () =>
      (
        await world.clinicDeps.db.$client
          .prepare("SELECT id, recipient, kind, details FROM outbox WHERE kind = 'operator-acted' ORDER BY rowid")
          .all<{ id: string; recipient: string; details: string }>()
      ).results;
    const outcome = await handOver('ana@maple.example');
    expect(await mails()).toMatchObject([
      { recipient: 'first@maple.example', details: '{"what":"made","who":"Ana@maple.example"}' },
      { recipient: 'Ana@maple.example' },
    ]);
    expect(outcome).toMatchObject({ mailIds: (await mails()).map(({ id }) => id) });
    await handOver('new@maple.example');
    expect((await mails()).slice(2)).toMatchObject([
      { recipient: 'first@maple.example', details: '{"what":"invited","who":"new@maple.example"}' },
      { recipient: 'Ana@maple.example' },
    ]);
  });

  it('returns not-found for an account without a clinic', async () => {
    const { handOver } = await makeStaffedClinic();
    expect(await handOver('ana@maple.example', 4711)).toEqual({ kind: 'not-found' });
    expect(await handOver('ana@maple.example', 0)).toEqual({ kind: 'not-found' });
  });
});
