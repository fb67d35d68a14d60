import { crmTokens, hubs, terminals } from '../data/schema.ts';
import type { Deps } from '../deps.ts';
import type { CrmTokens } from '../ports.ts';
import { boundTo } from '../sealer.ts';

export type HubProfile = {
  hubId: number;
  /** Who bills, as payers know the business. */
  name: string;
  domain: string;
  /** IANA zone of the CRM account. */
  timeZone: string;
  address?: string;
  phone?: string;
  email?: string;
};

/** Keep a CRM account and its grant; connecting again replaces the grant, not the account's history. */
export async function connectHub(deps: Deps, profile: HubProfile, tokens: CrmTokens): Promise<void> {
  const { db, sealer, now } = deps;
  const grant = {
    accessToken: await sealer.seal(tokens.accessToken, boundTo.accessToken(profile.hubId)),
    refreshToken: await sealer.seal(tokens.refreshToken, boundTo.refreshToken(profile.hubId)),
    expiresAt: now() + tokens.expiresInS * 1000,
    scopes: tokens.scopes.join(' '),
    revokedAt: null,
    leaseUntil: 0,
  };
  await db.batch([
    db
      .insert(hubs)
      .values({ ...profile, connectedAt: now() })
      .onConflictDoUpdate({ target: hubs.hubId, set: profile }),
    db
      .insert(crmTokens)
      .values({ hubId: profile.hubId, ...grant })
      .onConflictDoUpdate({ target: crmTokens.hubId, set: grant }),
  ]);
}

export type NewTerminal = {
  hubId: number;
  terminalId: string;
  name: string;
  channel: 'ecommerce' | 'counter';
  publicKey: string;
  apiKey: string;
};

/** Keep a terminal of a boarded merchant; its secret key is sealed before it is stored. */
export async function boardTerminal(deps: Deps, { apiKey, ...terminal }: NewTerminal): Promise<void> {
  const row = {
    ...terminal,
    apiKey: await deps.sealer.seal(apiKey, boundTo.apiKey(terminal.hubId, terminal.terminalId)),
  };
  await deps.db
    .insert(terminals)
    .values({ ...row, createdAt: deps.now() })
    .onConflictDoUpdate({ target: [terminals.hubId, terminals.terminalId], set: row });
}
