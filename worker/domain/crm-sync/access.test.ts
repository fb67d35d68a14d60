import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it } from 'vitest';
import { crmApp, hubs } from '#sandbox/credentials';
import { makeWorld, type World } from '#tests/support/unit/world';
import { control } from '#tests/support/wire';
import { sandboxUrl } from '#tests/unit/own-sandbox';
import { findTokens, leaseTokens } from '#worker/data/crm-sync/tokens';
import { connectAccount } from '#worker/domain/merchants/connect';
import { createHubSpot } from '#worker/vendors/hubspot/hubspot';
import { CrmError } from '#worker/vendors/hubspot/port';
import { callCrm, withCrm } from './access.ts';

const rowOf = async ({ deps, accountId }: World) => {
  const row = await findTokens(deps.db, accountId);
  if (!row) throw new Error('the account has no tokens');
  return row;
};
/** Moves the clock past the expiry of the access token. */
const expireToken = (world: World) => {
  world.clock.now += 3_600_000;
};

/** A CRM that issues a new refresh token each time and ends the grant when an old one is used. */
function rotateRefreshTokens(world: World) {
  const crmState = { calls: 0, revoked: false, valid: 'r0' };
  world.deps.crm.refreshTokens = async (refreshToken) => {
    crmState.calls++;
    if (refreshToken !== crmState.valid || crmState.revoked) {
      crmState.revoked = true;
      throw new CrmError('revoked', 'the grant is gone');
    }
    crmState.valid = `r${crmState.calls}`;
    // Other callers run between the request and its response.
    await env.DB.prepare('SELECT 1').first();
    return { accessToken: `a${crmState.calls}`, refreshToken: crmState.valid, expiresInS: 1800, scopes: [] };
  };
  return crmState;
}

afterEach(() => control('settings', { rotate_refresh: false }));

describe('calling the CRM for an account', () => {
  it('uses the current token while it is valid', async () => {
    const world = await makeWorld();
    const crmState = rotateRefreshTokens(world);
    expect(await withCrm(world.deps, await rowOf(world), async (token) => token)).toBe('a0');
    expect(crmState.calls).toBe(0);
  });

  it('refreshes early, once for 30 concurrent calls, when reusing a refresh token ends the grant', async () => {
    const world = await makeWorld();
    const crmState = rotateRefreshTokens(world);
    for (let round = 1; round <= 3; round++) {
      expireToken(world);
      const row = await rowOf(world);
      const usedTokens = await Promise.all(
        Array.from({ length: 30 }, () => withCrm(world.deps, row, async (token) => token)),
      );
      expect(usedTokens).toEqual(Array.from({ length: 30 }, () => `a${round}`));
      expect(crmState).toMatchObject({ calls: round, revoked: false });
    }
    expect((await rowOf(world)).version).toBe(4);
  });

  it('refreshes once against the simulated CRM with rotation on', async () => {
    const world = await makeWorld();
    const cedar = hubs[2];
    const hubspot = createHubSpot({
      baseUrl: sandboxUrl(),
      authorizeBase: sandboxUrl(),
      redirectUri: 'http://localhost:8787/oauth',
      clientId: crmApp.clientId,
      clientSecret: crmApp.clientSecret,
      timeoutMs: 5000,
    });
    await control('settings', { rotate_refresh: true });
    try {
      const first = await hubspot.refreshTokens(cedar.refreshToken);
      await connectAccount(
        world.deps,
        { accountId: world.accountId, name: cedar.name, domain: cedar.domain, timeZone: cedar.timeZone },
        { ...first, expiresInS: 1 },
      );
      let calls = 0;
      world.deps.crm.refreshTokens = (token) => {
        calls++;
        return hubspot.refreshTokens(token);
      };
      // Waiting callers must yield to the runtime, because the refresh uses the network.
      world.deps.pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      const row = await rowOf(world);
      const reads = Array.from({ length: 30 }, () =>
        withCrm(world.deps, row, (token) => hubspot.getInvoice(token, '999999999999', { timeZone: 'UTC' })),
      );
      expect(new Set(await Promise.all(reads))).toEqual(new Set([null]));
      expect(calls).toBe(1);
    } finally {
      await control('reset', {});
    }
  });

  it('takes over from a refresh that died once its lease ends, not before', async () => {
    const world = await makeWorld();
    const crmState = rotateRefreshTokens(world);
    expireToken(world);
    const row = await rowOf(world);
    expect(await leaseTokens(world.deps.db, row, world.clock.now, 10_000)).toBe(true);
    const startedAt = world.clock.now;
    world.deps.pause = async (ms) => {
      expect(crmState.calls).toBe(0);
      world.clock.now += ms;
    };
    expect(await withCrm(world.deps, row, async (token) => token)).toBe('a1');
    expect(crmState.calls).toBe(1);
    expect(world.clock.now - startedAt).toBeGreaterThanOrEqual(10_000);
    expect(world.clock.now - startedAt).toBeLessThanOrEqual(15_000);
  });

  it('gives up when no call can refresh the token', async () => {
    const world = await makeWorld();
    expireToken(world);
    const row = await rowOf(world);
    world.deps.crm.refreshTokens = () => Promise.reject(new CrmError('unavailable', 'down'));
    await expect(withCrm(world.deps, row, async (token) => token)).rejects.toMatchObject({ reason: 'unavailable' });
    expect((await rowOf(world)).leaseUntil).toBe(0);
    rotateRefreshTokens(world);
    expect(await withCrm(world.deps, await rowOf(world), async (token) => token)).toBe('a1');
  });

  it('marks the account, alerts the operator and stops calling the CRM when the grant is revoked', async () => {
    const world = await makeWorld();
    expireToken(world);
    let calls = 0;
    world.deps.crm.refreshTokens = () => {
      calls++;
      return Promise.reject(new CrmError('revoked', 'gone'));
    };
    for (let n = 0; n < 3; n++) {
      await expect(withCrm(world.deps, await rowOf(world), async (token) => token)).rejects.toMatchObject({
        reason: 'revoked',
      });
    }
    expect(calls).toBe(1);
    expect((await rowOf(world)).revokedAt).toBe(world.clock.now);
    expect(world.logs).toContain('ALERT crm-grant-revoked');
  });

  it('refreshes once when the CRM expires the token early, without looping', async () => {
    const world = await makeWorld();
    const crmState = rotateRefreshTokens(world);
    const usedTokens: string[] = [];
    const rejectFirst = (refusals: number) => async (token: string) => {
      usedTokens.push(token);
      if (usedTokens.length <= refusals) throw new CrmError('expired', 'early');
      return token;
    };
    expect(await withCrm(world.deps, await rowOf(world), rejectFirst(1))).toBe('a1');
    await expect(withCrm(world.deps, await rowOf(world), rejectFirst(99))).rejects.toMatchObject({ reason: 'expired' });
    expect(usedTokens).toEqual(['a0', 'a1', 'a1', 'a2']);
    expect(crmState.revoked).toBe(false);
  });

  it('keeps the new token pair when its first write is lost', async () => {
    const world = await makeWorld();
    rotateRefreshTokens(world);
    expireToken(world);
    const row = await rowOf(world);
    const { update } = world.deps.db;
    let writes = 0;
    world.deps.db.update = ((table: never) => {
      if (++writes === 2) throw new Error('D1_ERROR: Network connection lost');
      return update.call(world.deps.db, table);
    }) as typeof update;
    await withCrm(world.deps, row, async (token) => token).catch(() => undefined);
    world.deps.db.update = update;
    expect((await rowOf(world)).revokedAt).toBeNull();
    expect(await withCrm(world.deps, await rowOf(world), async (token) => token)).toMatch(/^a\d$/);
  });
});

describe('a CRM read', () => {
  const failWith = (cause: Error) => () => Promise.reject(cause);

  it('returns the answer, or logs the cause and returns crm-unavailable when there is none', async () => {
    const { deps, accountId } = await makeWorld();
    const lines: unknown[] = [];
    const loggingDeps = {
      ...deps,
      log: { ...deps.log, info: (event: string, fields?: object) => void lines.push([event, fields]) },
    };
    expect(await callCrm(loggingDeps, accountId, async () => null)).toBeNull();
    expect(lines).toEqual([]);
    const revoked = new CrmError('revoked', 'no connection to the CRM');
    expect(await callCrm(loggingDeps, accountId, failWith(revoked))).toBe('crm-unavailable');
    // Without tokens, a read throws before it returns a promise.
    const throwAtOnce = () => {
      throw revoked;
    };
    expect(await callCrm(loggingDeps, accountId, throwAtOnce)).toBe('crm-unavailable');
    const line = ['crm-read-failed', { accountId, cause: 'Error: crm revoked: no connection to the CRM' }];
    expect(lines).toEqual([line, line]);
  });

  it('rethrows our own failures', async () => {
    const { deps, accountId } = await makeWorld();
    await expect(callCrm(deps, accountId, failWith(new Error('the database is gone')))).rejects.toThrow(
      'the database is gone',
    );
  });
});
