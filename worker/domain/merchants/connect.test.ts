import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { makeWorld } from '#tests/support/unit/world';
import { connectAccount } from './connect.ts';

/** A clinic without a grant. `logIn` logs in with tokens of these scopes. */
async function makeClinic() {
  const { deps, accountId } = await makeWorld();
  const account = { accountId, name: 'Maple Street Dental', domain: 'maple.example', timeZone: 'America/Chicago' };
  let logins = 0;
  const grant = () =>
    env.DB.prepare('SELECT scopes, version, revoked_at, access_token FROM crm_tokens').first<Record<string, unknown>>();
  const logIn = async (...scopes: string[]) => {
    logins++;
    const tokens = { accessToken: `access-${logins}`, refreshToken: `refresh-${logins}`, expiresInS: 1800, scopes };
    await connectAccount(deps, account, tokens);
    return grant();
  };
  await env.DB.prepare('DELETE FROM crm_tokens').run();
  const connectionEvents = async () =>
    (await env.DB.prepare("SELECT count(*) AS n FROM audit_events WHERE action = 'account.connected'").first<number>(
      'n',
    )) ?? 0;
  return { logIn, grant, connectionEvents };
}

it('a login with fewer scopes keeps the account’s wider grant, without a connection event', async () => {
  const { logIn, connectionEvents } = await makeClinic();
  const widerGrant = await logIn('oauth', 'invoices.read', 'payments.write');
  const before = await connectionEvents();
  expect(await logIn('oauth', 'invoices.read')).toEqual(widerGrant);
  // A scope does not match another one with the same beginning.
  expect(await logIn('oauth', 'invoices.read', 'payments.write.sandbox')).toEqual(widerGrant);
  expect(await connectionEvents()).toBe(before);
});

it('a login with the same or more scopes replaces the grant; only new scopes record a connection event', async () => {
  const { logIn, connectionEvents } = await makeClinic();
  const first = await logIn('oauth', 'invoices.read');
  const before = await connectionEvents();
  const sameGrant = await logIn('invoices.read', 'oauth');
  expect(sameGrant).toMatchObject({ scopes: 'invoices.read oauth', version: Number(first?.version) + 1 });
  expect(sameGrant?.access_token).not.toBe(first?.access_token);
  expect(await connectionEvents()).toBe(before);
  expect(await logIn('oauth', 'payments.write', 'invoices.read')).toMatchObject({
    scopes: 'oauth payments.write invoices.read',
  });
  expect(await connectionEvents()).toBe(before + 1);
});

it('any login replaces a revoked grant or one with unknown scopes', async () => {
  const { logIn, grant, connectionEvents } = await makeClinic();
  await logIn('oauth', 'invoices.read', 'payments.write');
  await env.DB.prepare('UPDATE crm_tokens SET revoked_at = 1').run();
  const before = await connectionEvents();
  expect(await logIn('oauth', 'invoices.read')).toMatchObject({ scopes: 'oauth invoices.read', revoked_at: null });
  expect(await connectionEvents()).toBe(before + 1);
  await env.DB.prepare("UPDATE crm_tokens SET scopes = ''").run();
  await logIn('oauth');
  expect(await grant()).toMatchObject({ scopes: 'oauth' });
});
