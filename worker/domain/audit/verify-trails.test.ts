import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { dayOf, putAnchor } from '#worker/data/audit/seals';
import { sealTrails } from './seal.ts';
import { verifyTrails } from './verify-trails.ts';

it.each([
  ['before the clinic was founded, left by an erased clinic of the same account, is ignored', -1, ''],
  ['after that shows that the trail was cut off', 1, 'events up to 500 were anchored'],
])('an anchor from %s', async (_title, offsetMs, problem) => {
  const { deps, accountId, clock, logs } = await makeWorld();
  await sealTrails(deps);
  const at = new Date(clock.now + offsetMs).toISOString();
  const anchor = { at, accounts: [{ account: accountId, seq: 500, hash: 'of another chain' }] };
  await putAnchor(env.AUDIT_ANCHORS, dayOf(clock.now), anchor);
  await verifyTrails(deps);
  const storedProblem = await env.DB.prepare('SELECT problem FROM audit_checks WHERE account_id = ?')
    .bind(accountId)
    .first('problem');
  expect(storedProblem).toEqual(problem === '' ? '' : expect.stringContaining(problem));
  expect(logs.includes('ALERT audit-trail-broken')).toBe(problem !== '');
});
