import type { Context } from 'hono';
import { findApplication } from './boarding/applications.ts';
import { hubs } from './credentials.ts';
import { findAccessToken } from './crm/access.ts';
import { findRefreshToken } from './crm/oauth-tokens.ts';
import { CONTACT } from './crm/object-types.ts';
import { findTerminalByApiKey, findTerminalByPublicKey } from './gateway/terminals/terminals.ts';
import { partyOf } from './wire-paths.ts';
import type { SandboxEnv, World } from './world.ts';

/** The account that a call is for, from its credentials or from a mail's recipient; null where neither names one. */
export async function accountOf(world: World, c: Context<SandboxEnv>): Promise<number | null> {
  const party = partyOf(c.req.path);
  if (party === 'crm') return (await crmAccount(world, c)) ?? null;
  if (party === 'gateway') return gatewayAccount(world, c);
  return party === 'mail' ? mailAccount(world, await c.req.text()) : null;
}

async function crmAccount(world: World, c: Context<SandboxEnv>): Promise<number | undefined> {
  const bearer = /^Bearer (\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (bearer) return findAccessToken(world, bearer)?.hub_id;
  const inPath = /-tokens\/([^/]+)$/.exec(c.req.path)?.[1] ?? '';
  const form = c.req.method === 'POST' ? new URLSearchParams(await c.req.text()) : new URLSearchParams();
  const code = world.store.get<{ hub_id: number }>(
    'SELECT hub_id FROM auth_codes WHERE code = ?',
    form.get('code') ?? '',
  );
  const tokens = [inPath, ...['refresh_token', 'token', 'access_token'].map((name) => form.get(name) ?? '')];
  return (
    code?.hub_id ??
    tokens
      .map((token) => findAccessToken(world, token) ?? findRefreshToken(world, token))
      .find((known) => known !== undefined)?.hub_id
  );
}

function gatewayAccount(world: World, c: Context<SandboxEnv>): number | null {
  const [apiKey, publicKey] = [c.req.header('api-key'), c.req.header('public-key')];
  const terminal =
    (apiKey ? findTerminalByApiKey(world, apiKey) : undefined) ??
    (publicKey ? findTerminalByPublicKey(world, publicKey) : undefined);
  return terminal?.hub_id ?? null;
}

export const applicationAccount = (world: World, merchantNumber: string): number | null =>
  findApplication(world, merchantNumber)?.hub_id ?? null;

/** The account of the first recipient, who is a user of it or a contact in its CRM. */
function mailAccount(world: World, body: string): number | null {
  const address = /"to"\s*:\s*\[?\s*"(?:[^"<]*<)?([^">]+)/.exec(body)?.[1]?.trim();
  if (!address) return null;
  const hub = hubs.find(({ users }) => users.some(({ email }) => email === address));
  const contact = world.store.get<{ hub_id: number }>(
    "SELECT hub_id FROM records WHERE type = ? AND json_extract(properties, '$.email') = ? LIMIT 1",
    CONTACT,
    address,
  );
  return hub?.hubId ?? contact?.hub_id ?? null;
}
