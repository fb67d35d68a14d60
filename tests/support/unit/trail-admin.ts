import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { AuditView } from '#shared/contracts/staff/audit';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { type PastAct, recordActs } from './trail.ts';

export const [{ hubId: accountId, users }, , { hubId: otherId }] = hubs;
export const [grace] = users;
/** The user ids of these two people, in the order of their first login. */
export const [GRACE, TOM] = [1, 2];
export const DAY = 86_400_000;
/** Noon in Indianapolis. */
export const NOON = Date.UTC(2026, 2, 4, 17);

export const makeAct = (fields: Partial<PastAct> & Pick<PastAct, 'action'>): PastAct => ({
  accountId,
  at: NOON,
  actor: { id: String(GRACE) },
  ...fields,
});

const VOID = { kind: 'void', number: '1042', amountCents: 18_400, currency: 'USD', reason: 'Billed twice' };

/** Acts of an account on three days. */
export const ACTS: PastAct[] = [
  makeAct({ action: 'link.issued', subject: ['invoice', '77'], at: NOON - 2 * DAY }),
  makeAct({
    action: 'payment.moved',
    subject: ['payment', 'p1'],
    actor: { kind: 'payer', id: '' },
    at: NOON - DAY,
    after: { state: 'approved', number: '1042', amountCents: 18_400 },
  }),
  makeAct({ action: 'reversal.claimed', subject: ['reversal', 'r1'], after: VOID }),
];

const lastNumber = async () =>
  Number(
    await env.DB.prepare('SELECT max(seq) AS n FROM audit_events WHERE account_id = ?').bind(accountId).first('n'),
  );

/** An administrator of an account with these acts. `numbers` counts from the first act, after the login's events. */
export async function trailAdmin(acts = ACTS) {
  const clock = { now: NOON - 3 * DAY };
  const alerts: string[] = [];
  const lifetime = String(30 * DAY);
  // The login outlasts the test's weeks, so that all of its events precede the acts.
  const longSession = { ACCESS_TOKEN_MS: lifetime, SESSION_MS: lifetime, SESSION_IDLE_MS: lifetime };
  const app = makeApp({ now: () => clock.now }, longSession);
  Object.assign(app.deps.log, { alert: (event: string) => alerts.push(event) });
  const { token } = await logIn(app, 0);
  const base = await lastNumber();
  await recordActs(app.deps, acts);
  clock.now = NOON;
  const get = (path: string) => app.request(path, { headers: bearer(token) });
  const view = async (query = '') => {
    const response = await get(`/api/audit${query}`);
    expect(response.status, query).toBe(200);
    return AuditView.parse(await response.json());
  };
  const numbers = async (query = '') => (await view(query)).events.map(({ seq }) => seq - base).filter((n) => n > 0);
  return { app, alerts, clock, token, base, get, view, numbers };
}
