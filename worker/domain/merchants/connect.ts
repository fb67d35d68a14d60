import { findAccount, type NewAccount, saveAccount } from '#worker/data/merchants/accounts';
import { type NewTerminalRow, upsertTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { boundTo } from '#worker/security/token-cipher';
import type { CrmGrant, CrmTokens } from '#worker/vendors/hubspot/port';
import { tellKeys } from './clinic-of-account.ts';

/** Save a CRM account and its grant. Connecting again replaces the grant, not the account's history. */
export async function connectAccount(deps: Deps, account: NewAccount, tokens: CrmTokens): Promise<void> {
  const { db, sealer, now } = deps;
  const grant = {
    accessToken: await sealer.seal(tokens.accessToken, boundTo.accessToken(account.accountId)),
    refreshToken: await sealer.seal(tokens.refreshToken, boundTo.refreshToken(account.accountId)),
    expiresAt: now() + tokens.expiresInS * 1000,
    scopes: tokens.scopes.join(' '),
  };
  const event = auditEvent(deps, {
    accountId: account.accountId,
    action: 'account.connected',
    subject: ['account', String(account.accountId)],
    after: { name: account.name, domain: account.domain, scopes: grant.scopes },
  });
  await saveAccount(db, account, grant, now(), event);
}

/** Save the account of a login. A name that the business has already is not replaced by its domain. */
export async function connectGrantedAccount(
  deps: Deps,
  { accountId, accountDomain, timeZone, tokens }: CrmGrant,
): Promise<void> {
  const known = await findAccount(deps.db, accountId);
  await connectAccount(
    deps,
    { accountId, name: known?.name ?? accountDomain, domain: accountDomain, timeZone },
    tokens,
  );
}

export type NewTerminal = {
  accountId: number;
  terminalId: string;
  name: string;
  channel: 'ecommerce' | 'counter';
  publicKey: string;
  apiKey: string;
};

/** A terminal as stored: its secret key sealed. */
export async function sealTerminal({ sealer }: Deps, { apiKey, ...terminal }: NewTerminal): Promise<NewTerminalRow> {
  return { ...terminal, apiKey: await sealer.seal(apiKey, boundTo.apiKey(terminal.accountId, terminal.terminalId)) };
}

/** Save a terminal of a merchant that is boarded. */
export async function boardTerminal(deps: Deps, terminal: NewTerminal): Promise<void> {
  await upsertTerminal(deps.db, await sealTerminal(deps, terminal), deps.now());
  await tellKeys(deps);
}
