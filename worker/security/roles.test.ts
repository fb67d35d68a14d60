import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { PROOF_MS } from '#shared/contracts/proof-values';
import { type SessionBeginning, type StaffRole, sessionBeginnings, staffRoles } from '#shared/contracts/team-values';
import { bearer } from '#tests/support/consent';
import { logIn, logInColleague, makeApp, type TestApp } from '#tests/support/login';
import { openRefund } from '#tests/support/open-refund';
import { everything } from '#tests/support/unit/everything';
import { insertRow } from '#tests/support/unit/insert-row';
import { bodies, differences, type Matrix, matrix } from '#tests/support/unit/rights-matrix';
import { counterTerminal } from '#tests/support/wire';
import { everyRoute } from '#worker/areas/every-route';
import { openSession } from '#worker/domain/merchants/session';
import { removeStaff } from '#worker/domain/merchants/team';
import { isStaffRole } from './who.ts';

/** The rights of staff as the Worker has them. */
const rights: Matrix = Object.fromEntries(
  everyRoute.flatMap(({ name, route: { who, stepUp = false } }) => {
    if (isStaffRole(who)) return [[name, { least: who, takesProof: stepUp }]];
    return who === 'staff or holder of a pay link' ? [[name, { least: 'reader', takesProof: stepUp }]] : [];
  }),
);
/** The one that ends the session which asks comes last. */
const staffRows = Object.entries(matrix)
  .map(([row, { least }]) => ({ row, least }))
  .sort((one, other) => Number(one.row === 'DELETE /api/sessions') - Number(other.row === 'DELETE /api/sessions'));
/** Said once more, so that the Worker's order is not compared with itself. */
const RANK: Record<StaffRole, number> = { reader: 0, desk: 1, manager: 2, admin: 3 };
const [{ hubId: ownId }, { hubId: otherId }] = hubs;

/** The colleague of an account's first administrator, who gets one role after another. */
async function person(app: TestApp, accountId: number, role: StaffRole, beganBy: SessionBeginning): Promise<string> {
  await env.DB.prepare('UPDATE users SET role = ? WHERE account_id = ? AND user_id = 2').bind(role, accountId).run();
  const session = await openSession(app.deps, { accountId, userId: 2 }, { beganBy, label: '' });
  return session?.accessToken ?? '';
}

const ask = (app: TestApp, row: string, id: string, token: string, body: object | undefined) => {
  const [method = '', path = ''] = row.split(' ');
  return app.request(path.replace('/api/team/:id', '/api/team/3').replaceAll(/:\w+/g, id), {
    method,
    headers: { ...bearer(token), 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  });
};

async function clinics() {
  const app = makeApp();
  await logInColleague(app);
  await logIn(app, 1);
  await env.DB.prepare(
    "INSERT INTO users (account_id, user_id, email, last_login_at) VALUES (?, 2, 'second@harborphysio.example', 0)",
  )
    .bind(otherId)
    .run();
  // Somebody whose number only the first account has.
  await env.DB.prepare(
    "INSERT INTO users (account_id, user_id, email, last_login_at) VALUES (?, 3, 'third@x.example', 0)",
  )
    .bind(ownId)
    .run();
  const id = await openRefund(app.deps.db, counterTerminal().terminalId);
  // All that an address may name has the same number, and is somebody else's for each who asks.
  const [of, later] = [{ account_id: ownId, user_id: 3 }, Date.now() + 60_000];
  await insertRow(env.DB, 'sessions', { ...of, id, companion_hash: id, seen_at: Date.now(), ends_at: later });
  await insertRow(env.DB, 'staff_passkeys', { ...of, id, transports: '[]' });
  await insertRow(env.DB, 'approvals', { id, account_id: ownId, attempt_id: id, requested_by: 3, ends_at: later });
  await insertRow(env.DB, 'archives', { account_id: ownId, id, kind: 'clinic', ready_at: 1, ends_at: later });
  return { app, id };
}

describe('the matrix of rights', () => {
  it('has every route of staff, with the least role and the proof that the Worker asks for', () => {
    expect(differences(matrix, rights)).toEqual([]);
    expect(staffRows.length).toBeGreaterThan(70);
  });

  it('is found out where a route is missing in it or in the Worker, is for a lesser role, or takes no proof', () => {
    for (const [row, right] of Object.entries(matrix)) {
      const { [row]: _left, ...rest } = matrix;
      const said = `${right.least}${right.takesProof ? ' with a proof' : ''}`;
      expect(differences(rest, matrix)).toEqual([`${row}: the matrix says nobody, the Worker ${said}`]);
      expect(differences(matrix, rest)).toEqual([`${row}: the matrix says ${said}, the Worker nobody`]);
      for (const other of staffRoles.filter((role) => role !== right.least))
        expect(differences(matrix, { ...matrix, [row]: { ...right, least: other } })).toHaveLength(1);
      const flipped = { ...right, takesProof: !right.takesProof };
      expect(differences(matrix, { ...matrix, [row]: flipped })).toHaveLength(1);
    }
  });
});

describe('a role', () => {
  it.each(staffRoles)('opens what its row or a lesser one allows, and nothing else: %s', async (role) => {
    const { app, id } = await clinics();
    const allowed = staffRows.filter(({ least }) => RANK[least] <= RANK[role]);
    const above = staffRows.filter(({ least }) => RANK[least] > RANK[role]);
    expect(allowed.length).toBeGreaterThan(15);
    for (const beganBy of sessionBeginnings) {
      const token = await person(app, ownId, role, beganBy);
      const before = await everything();
      for (const { row } of above) expect((await ask(app, row, id, token, bodies[row])).status, row).toBe(403);
      expect(await everything()).toBe(before);
      for (const { row } of allowed) {
        const { status } = await ask(app, row, id, token, {});
        expect([401, 403], `${row}: ${status}`).not.toContain(status);
      }
    }
  });

  it.each(staffRoles)('opens nothing of another account: %s', async (role) => {
    const { app, id } = await clinics();
    const before = await everything(ownId);
    for (const beganBy of sessionBeginnings) {
      const token = await person(app, otherId, role, beganBy);
      for (const { row } of staffRows) {
        const { status } = await ask(app, row, id, token, bodies[row]);
        if (row.includes('/:')) expect(status, row).toBeGreaterThanOrEqual(300);
        expect(status, row).not.toBe(401);
      }
    }
    expect(await everything(ownId)).toBe(before);
  });

  it.each(sessionBeginnings)(
    'opens nothing at all from the call after its removal, on every device: %s',
    async (how) => {
      const { app, id } = await clinics();
      const devices = [await person(app, ownId, 'admin', how), await person(app, ownId, 'admin', how)];
      for (const token of devices) expect((await ask(app, 'GET /api/team', id, token, undefined)).status).toBe(200);
      await removeStaff(app.deps, { accountId: ownId, userId: 1, role: 'admin', sessionId: '' }, 2);
      const before = await everything();
      for (const token of devices)
        for (const { row } of staffRows) expect((await ask(app, row, id, token, bodies[row])).status, row).toBe(401);
      expect(await everything()).toBe(before);
    },
  );

  it.each(staffRoles)(
    'opens nothing that takes a proof once its proof is old, by whatever it came in: %s',
    async (role) => {
      const { app, id } = await clinics();
      const proved = staffRows.filter(({ row }) => matrix[row]?.takesProof);
      expect(proved.length).toBeGreaterThan(12);
      for (const beganBy of sessionBeginnings) {
        const token = await person(app, ownId, role, beganBy);
        await env.DB.prepare('UPDATE sessions SET created_at = created_at - ?1, proved_at = proved_at - ?1')
          .bind(PROOF_MS)
          .run();
        const before = await everything();
        for (const { row } of proved) expect((await ask(app, row, id, token, bodies[row])).status, row).toBe(403);
        expect(await everything()).toBe(before);
      }
    },
  );

  it('is there for somebody: each one opens routes that the one before it does not', () => {
    for (const role of staffRoles)
      expect(
        staffRows.some(({ least }) => least === role),
        role,
      ).toBe(true);
  });
});
