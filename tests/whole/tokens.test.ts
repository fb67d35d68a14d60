import { readFileSync } from 'node:fs';
import path from 'node:path';
import { base64url, decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { hubs, terminals } from '#sandbox/credentials';
import { bearer, consent, Jar } from '#tests/support/consent';
import { useProduct } from '#tests/support/product/product';
import { everyRoute } from '#worker/areas/every-route';
import { type Answer, ask, expectError, noBearers } from './answers.ts';
import { sql } from './expect-money.ts';
import { type Call, callsOf, OPERATORS, registeredRoutes, STAFF, unbuilt, WRITERS } from './routes.ts';

const product = useProduct();
const { appUrl } = product;
const headersOf = (jar: Jar) => jar.header;

async function logIn(accountIndex: 0 | 1 | 2, userIndex: 0 | 1 = 0) {
  const jar = new Jar();
  const get = async (address: string) =>
    jar.take(await fetch(address, { redirect: 'manual', headers: headersOf(jar) }));
  const started = await get(`${appUrl}/oauth/start`);
  await get((await consent(new URL(started.headers.get('location') ?? ''), accountIndex, 'grant', userIndex)).href);
  const [token, refreshToken] = [jar.cookies.get('authToken') ?? '', jar.cookies.get('session') ?? ''];
  expect(token).not.toBe('');
  return { jar, token, refreshToken };
}

/** Invalid merchant tokens, by their defect. */
const invalidTokens: Record<string, string> = {};
let staff = { token: '', refreshToken: '' };
let foreign = { token: '', refreshToken: '' };

beforeAll(async () => {
  staff = await logIn(0);
  foreign = await logIn(2);
  const [revoked, ended] = [await logIn(0), await logIn(0)];
  await fetch(`${appUrl}/logout`, { redirect: 'manual', headers: headersOf(revoked.jar) });
  const { jti: endedId = '' } = decodeJwt(ended.token);
  await sql(product, 'UPDATE sessions SET ends_at = ? WHERE id = ?', Date.now() - 1, endedId);

  const { jti: sessionId = '', sub = '', ...names } = decodeJwt<{ hub: number; clinic: number }>(staff.token);
  const { hub, clinic } = names;
  const claims = { sessionId, clinic, accountId: hub, userId: Number(sub) };
  const config = path.join(product.state, 'site/server/wrangler.local.json');
  const { vars } = JSON.parse(readFileSync(config, 'utf8')) as { vars: Record<string, string> };
  const [kid = '', key = ''] = (vars.SESSION_KEYS ?? '').split(':');
  const sign = (audience: string, secret: Uint8Array, alg = 'HS256') =>
    new SignJWT({ hub, clinic })
      .setProtectedHeader({ alg, kid })
      .setJti(sessionId)
      .setSubject(sub)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('15m')
      .sign(secret);
  const signingKey = Uint8Array.from(Buffer.from(key, 'base64'));
  const [head = '', body = ''] = staff.token.split('.');
  Object.assign(invalidTokens, {
    'made up': 'aaaa.bbbb.cccc',
    'of 60,000 letters': `${'x'.repeat(20_000)}.${'x'.repeat(20_000)}.${'x'.repeat(20_000)}`,
    expired: await product.deps().accessTokens.issue(claims, Date.now() - 16 * 60_000),
    'of a session that was logged out': revoked.token,
    'of a session that is over': ended.token,
    'for an audience other than merchants': await sign('tillway-content', signingKey),
    'signed with another key': await sign('tillway-merchant', new Uint8Array(32)),
    'signed in another way': await sign('tillway-merchant', signingKey, 'HS384'),
    'not signed': new UnsecuredJWT({ hub, clinic })
      .setJti(sessionId)
      .setSubject(sub)
      .setAudience('tillway-merchant')
      .encode(),
    'with its claims changed': `${head}.${base64url.encode(JSON.stringify({ ...decodeJwt(staff.token), hub: hub + 1 }))}.${staff.token.split('.')[2]}`,
    'cut short': `${head}.${body}.`,
    'a refresh token': staff.refreshToken,
    'a pay id': (await product.makeLink()).payId,
    'of the CRM': 'na1-0000-1111-2222',
  });
});

const BODY = { 'content-type': 'application/json' };
const call = ({ method, path: to }: Call, headers: Record<string, string>): Promise<Answer> =>
  ask(appUrl, to, method === 'GET' ? { headers } : { method, headers: { ...BODY, ...headers }, body: '{}' });
/** These routes need no bearer for payers, but a caller with one is treated as a merchant. */
const PAYERS_TOO = 'staff or holder of a pay link';
const ENDING_SESSIONS = ['DELETE /api/sessions', 'DELETE /api/team/:id/sessions'];
const payersToo = callsOf([PAYERS_TOO]).map(({ route }) => route);
const merchantsCalls = (fill?: (part: string) => string) => callsOf([...STAFF, PAYERS_TOO], fill);

/** All in parallel: refused calls change nothing, so they cannot disturb each other. */
const withEach = (tokens: Record<string, string>, use: (kind: string, token: string) => Promise<void>) =>
  Promise.all(Object.entries(tokens).map(([kind, token]) => use(kind, token)));

describe('the permissions', () => {
  it('have a row for every route of the product, and no other', () => {
    const rows = everyRoute.map(({ name }) => name);
    expect(registeredRoutes().sort()).toEqual(rows.sort());
  });
});

describe('a merchant’s call', () => {
  it.each(merchantsCalls().map((target) => [target.route, target] as const))(
    'accepts only the merchant’s own token: %s',
    async (_route, target) => {
      const refused = new Set<string>();
      await withEach(invalidTokens, async (kind, token) => {
        const answer = await call(target, bearer(token));
        expect(answer.status, kind).toBe(401);
        expectError(answer, 401, 'Please log in again.');
        refused.add(answer.text);
      });
      if (!payersToo.includes(target.route))
        for (const headers of noBearers) {
          const answer = await call(target, headers);
          expectError(answer, 401, 'Please log in again.');
          refused.add(answer.text);
        }
      expect(refused.size).toBe(1);
      // These would log out the user of all other tests.
      const { token } = ENDING_SESSIONS.includes(target.route) ? await logIn(2, 1) : staff;
      const opened = await call(target, bearer(token));
      expect(opened.status < 500, opened.text).toBe(true);
      expect(opened.status === 401, 'refuses the own token: see unbuilt in routes.ts').toBe(
        unbuilt.includes(target.route),
      );
    },
  );

  it('finds none of our records by id or in a list with another account’s token', async () => {
    const { invoiceId, number, email } = await product.makeLink();
    const terminal = terminals.find(({ hubId: accountId }) => accountId === hubs[0].hubId)?.terminalId ?? '';
    const fill = (part: string) => (part === 'terminalId' ? terminal : invoiceId);
    const ownTexts = [number, email, hubs[0].domain, hubs[0].name, terminal];
    const wrongAnswers: string[] = [];
    for (const target of merchantsCalls(fill).filter(({ route }) => route !== 'DELETE /api/sessions')) {
      const answer = await call(target, bearer(foreign.token));
      const isNamed = target.route.includes('/:');
      if ((isNamed && answer.status < 300) || ownTexts.some((text) => answer.text.includes(text)))
        wrongAnswers.push(`${target.route}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
    expect(wrongAnswers).toEqual([]);
  });
});

describe('a writer’s call', () => {
  it('accepts no merchant token, valid or not', async () => {
    const calls = callsOf(WRITERS);
    expect(calls.length).toBeGreaterThan(0);
    for (const target of calls) {
      await withEach({ ...invalidTokens, 'a merchant’s own': staff.token }, async (kind, token) => {
        const { status } = await call(target, bearer(token));
        expect([401, 403], `${target.route} ${kind}: ${status}`).toContain(status);
      });
    }
  });
});

describe('an operator’s call', () => {
  it('accepts no merchant token as a bearer or as the operator’s cookie', async () => {
    const calls = callsOf(OPERATORS);
    expect(calls.length).toBeGreaterThan(0);
    const refused = new Set<string>();
    for (const target of calls) {
      await withEach(
        { ...invalidTokens, 'a merchant’s own': staff.token, 'own refresh': staff.refreshToken },
        async (kind, token) => {
          if (token.length > 10_000) return;
          const cookie = { cookie: `operator=${encodeURIComponent(token)}; authToken=${staff.token}` };
          const answer = await call(target, { ...bearer(token), ...cookie });
          expect(answer.status, `${target.route} ${kind}`).toBe(401);
          refused.add(answer.text);
        },
      );
    }
    expect(refused.size).toBe(1);
  });
});

describe('a machine’s call', () => {
  it('accepts no merchant token, valid or not', async () => {
    const calls = callsOf(['provider webhook', 'site builder', 'tamper monitor', 'operator program']);
    expect(calls.length).toBeGreaterThan(0);
    for (const target of calls) {
      for (const [kind, token] of Object.entries({ ...invalidTokens, 'a merchant’s own': staff.token })) {
        const { status } = await call(target, bearer(token));
        // The operator's route makes a guesser wait.
        expect([401, 404, 429], `${target.route} ${kind}: ${status}`).toContain(status);
      }
    }
  });
});

describe('the merchant’s session', () => {
  it('is revealed to no invalid token, and all of them get the same refusal', async () => {
    const refused = new Set<string>();
    for (const [kind, token] of Object.entries(invalidTokens)) {
      if (token.length > 10_000) continue;
      const status = await ask(appUrl, `/api/token/status/${encodeURIComponent(token)}`);
      expect(status.status, kind).toBe(401);
      refused.add(status.text);
      expectError(await ask(appUrl, '/api/token/status/current', { headers: bearer(token) }), 401);
      const renewed = await ask(appUrl, '/api/refresh-access-token', {
        headers: { cookie: `authToken=${staff.token}; session=${kind === 'a refresh token' ? staff.token : token}` },
      });
      expect(renewed.status, kind).toBe(401);
      refused.add(renewed.text);
    }
    expect(refused.size).toBe(1);
    expect((await ask(appUrl, '/api/token/status/current', { headers: bearer(staff.token) })).status).toBe(200);
  });

  it('opens no page of the app once it has ended', async () => {
    const home = { route: 'GET /', path: '/' };
    for (const target of [home, ...callsOf(['staff by cookie'])]) {
      await withEach(invalidTokens, async (kind, token) => {
        if (token.length > 10_000) return;
        const page = await ask(appUrl, target.path, { headers: { cookie: `authToken=${token}; session=nothing` } });
        expect(page.text, `${target.route} ${kind}`).not.toContain('"gate"');
        if (target.path !== '/') expect(page.headers.get('location'), `${target.route} ${kind}`).toBe('/login');
      });
    }
  });
});
