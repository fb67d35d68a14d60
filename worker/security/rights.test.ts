import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { PROOF_MS } from '#shared/contracts/staff/proof';
import {
  hasRight,
  rolesWith,
  type SessionBeginning,
  type StaffRight,
  type StaffRole,
  sessionBeginnings,
  staffRights,
  staffRoles,
} from '#shared/contracts/staff/team-values';
import { bearer } from '#tests/support/consent';
import { logIn, logInColleague, makeApp, type TestApp } from '#tests/support/login';
import { openRefund } from '#tests/support/open-refund';
import { readAllRows } from '#tests/support/unit/all-rows';
import { insertRow } from '#tests/support/unit/insert-row';
import { bodies } from '#tests/support/unit/staff-bodies';
import { counterTerminal } from '#tests/support/wire';
import { everyRoute } from '#worker/areas/every-route';
import { openSession } from '#worker/domain/merchants/session';
import { removeStaff } from '#worker/domain/merchants/team';
import { isStaff, rightOf } from './route-access.ts';

type StaffRoute = { name: string; right: StaffRight | null; takesProof: boolean };

/** The routes of staff. The one that ends the caller's session comes last. */
const staffRoutes: StaffRoute[] = everyRoute
  .filter(({ route }) => isStaff(route.access))
  .map(({ name, route }) => ({ name, right: rightOf(route.access), takesProof: route.stepUp === true }))
  .sort((a, b) => Number(a.name === 'DELETE /api/sessions') - Number(b.name === 'DELETE /api/sessions'));

/** The roles are repeated here by hand, so that a change of rights must be made in two places. */
const ROLES_BY_RIGHT: Record<StaffRight, StaffRole[]> = {
  collect: ['desk', 'manager', 'admin'],
  'close-batches': ['manager', 'admin'],
  refund: ['manager', 'admin'],
  'refund-any-amount': ['admin'],
  configure: ['manager', 'admin'],
  oversee: ['bookkeeper', 'manager', 'admin'],
  reconcile: ['bookkeeper', 'manager', 'admin'],
  audit: ['bookkeeper', 'admin'],
  administer: ['admin'],
};
const mayUse = (role: StaffRole, { right }: StaffRoute) => right === null || ROLES_BY_RIGHT[right].includes(role);
const [{ hubId: ownId }, { hubId: otherId }] = hubs;

/** Opens a session of the colleague of an account's first administrator, with the given role. */
async function openColleagueSession(
  app: TestApp,
  accountId: number,
  role: StaffRole,
  beganBy: SessionBeginning,
): Promise<string> {
  await env.DB.prepare('UPDATE users SET role = ? WHERE account_id = ? AND user_id = 2').bind(role, accountId).run();
  const session = await openSession(app.deps, { accountId, userId: 2 }, { beganBy, label: '' });
  return session?.accessToken ?? '';
}

const callRoute = (app: TestApp, row: string, id: string, token: string, body: object | undefined) => {
  const [method = '', path = ''] = row.split(' ');
  return app.request(path.replace('/api/team/:id', '/api/team/3').replaceAll(/:\w+/g, id), {
    method,
    headers: { ...bearer(token), 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  });
};

async function makeClinics() {
  const app = makeApp();
  await logInColleague(app);
  await logIn(app, 1);
  await env.DB.prepare(
    "INSERT INTO users (account_id, user_id, email, last_login_at) VALUES (?, 2, 'second@harborphysio.example', 0)",
  )
    .bind(otherId)
    .run();
  // Only the first account has a person with this number.
  await env.DB.prepare(
    "INSERT INTO users (account_id, user_id, email, last_login_at) VALUES (?, 3, 'third@x.example', 0)",
  )
    .bind(ownId)
    .run();
  const id = await openRefund(app.deps.db, counterTerminal().terminalId);
  // Everything that a URL may name has the same id and belongs to a person other than the caller.
  const [owner, endsAt] = [{ account_id: ownId, user_id: 3 }, Date.now() + 60_000];
  await insertRow(env.DB, 'sessions', { ...owner, id, companion_hash: id, seen_at: Date.now(), ends_at: endsAt });
  await insertRow(env.DB, 'staff_passkeys', { ...owner, id, transports: '[]' });
  await insertRow(env.DB, 'approvals', { id, account_id: ownId, attempt_id: id, requested_by: 3, ends_at: endsAt });
  await insertRow(env.DB, 'archives', { account_id: ownId, id, kind: 'clinic', ready_at: 1, ends_at: endsAt });
  return { app, id };
}

describe('staff rights', () => {
  it('belong to exactly the expected roles', () => {
    for (const right of staffRights) expect(rolesWith(right), right).toEqual(ROLES_BY_RIGHT[right]);
  });

  it('are each required by a staff route, except refund-any-amount', () => {
    expect(staffRoutes.length).toBeGreaterThan(70);
    const unusedRights = staffRights.filter((right) => !staffRoutes.some((route) => route.right === right));
    expect(unusedRights).toEqual(['refund-any-amount']);
  });

  it('do not let a bookkeeper take or refund payments', () => {
    for (const right of ['collect', 'close-batches', 'refund', 'refund-any-amount', 'configure', 'administer'] as const)
      expect(hasRight('bookkeeper', right), right).toBe(false);
  });
});

describe('a staff role', () => {
  it.each(staffRoles)('gives access to exactly the routes that its rights allow: %s', async (role) => {
    const { app, id } = await makeClinics();
    const allowedRoutes = staffRoutes.filter((route) => mayUse(role, route));
    const refusedRoutes = staffRoutes.filter((route) => !mayUse(role, route));
    expect(allowedRoutes.length).toBeGreaterThan(15);
    for (const beganBy of sessionBeginnings) {
      const token = await openColleagueSession(app, ownId, role, beganBy);
      const previousRows = await readAllRows();
      for (const { name } of refusedRoutes)
        expect((await callRoute(app, name, id, token, bodies[name])).status, name).toBe(403);
      expect(await readAllRows()).toBe(previousRows);
      for (const { name } of allowedRoutes) {
        const { status } = await callRoute(app, name, id, token, {});
        expect([401, 403], `${name}: ${status}`).not.toContain(status);
      }
    }
  });

  it.each(staffRoles)('gives no access to another account: %s', async (role) => {
    const { app, id } = await makeClinics();
    const previousRows = await readAllRows(ownId);
    for (const beganBy of sessionBeginnings) {
      const token = await openColleagueSession(app, otherId, role, beganBy);
      for (const { name } of staffRoutes) {
        const { status } = await callRoute(app, name, id, token, bodies[name]);
        if (name.includes('/:')) expect(status, name).toBeGreaterThanOrEqual(300);
        expect(status, name).not.toBe(401);
      }
    }
    expect(await readAllRows(ownId)).toBe(previousRows);
  });

  it.each(sessionBeginnings)('gives no access on any device after its user was removed: %s', async (beginning) => {
    const { app, id } = await makeClinics();
    const devices = [
      await openColleagueSession(app, ownId, 'admin', beginning),
      await openColleagueSession(app, ownId, 'admin', beginning),
    ];
    for (const token of devices) expect((await callRoute(app, 'GET /api/team', id, token, undefined)).status).toBe(200);
    await removeStaff(app.deps, { accountId: ownId, userId: 1, role: 'admin', sessionId: '' }, 2);
    const before = await readAllRows();
    for (const token of devices)
      for (const { name } of staffRoutes)
        expect((await callRoute(app, name, id, token, bodies[name])).status, name).toBe(401);
    expect(await readAllRows()).toBe(before);
  });

  it.each(staffRoles)('opens no step-up route with an old proof, however the session began: %s', async (role) => {
    const { app, id } = await makeClinics();
    const stepUpRoutes = staffRoutes.filter(({ takesProof }) => takesProof);
    expect(stepUpRoutes.length).toBeGreaterThan(12);
    for (const beganBy of sessionBeginnings) {
      const token = await openColleagueSession(app, ownId, role, beganBy);
      await env.DB.prepare('UPDATE sessions SET created_at = created_at - ?1, proved_at = proved_at - ?1')
        .bind(PROOF_MS)
        .run();
      const before = await readAllRows();
      for (const { name } of stepUpRoutes)
        expect((await callRoute(app, name, id, token, bodies[name])).status, name).toBe(403);
      expect(await readAllRows()).toBe(before);
    }
  });
});
