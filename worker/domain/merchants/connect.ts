import { findAccount, type NewAccount, saveAccount, saveLogin } from '#worker/data/merchants/accounts';
import { type CrmPerson, findKnown, type Known } from '#worker/data/merchants/people';
import { type NewTerminalRow, upsertTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { boundTo } from '#worker/security/token-cipher';
import type { CrmGrant, CrmTokens } from '#worker/vendors/hubspot/port';
import { tellKeys } from './clinic-of-account.ts';
import { bringBackPayments } from './returning.ts';

/**
 * Save a CRM account and its grant, and the person who gave it: answers our number of them, null for nobody. Connecting
 * again replaces the grant unless the account has a wider one, and never the account's history. `isKnown`: it is here already.
 */
export async function connectAccount(
  deps: Deps,
  account: NewAccount,
  tokens: CrmTokens,
  person?: Omit<CrmPerson, 'accountId'> & { invitation?: Known['invitation'] },
  isKnown = false,
): Promise<number | null> {
  const { sealer, db, now } = deps;
  const { accountId, name, domain } = account;
  // Where it fails, the account stays without a name, and the next login begins anew; nothing can be charged before.
  if (!isKnown && !(await findAccount(db, accountId))?.name) await bringBackPayments(deps, account);
  const grant = {
    accessToken: await sealer.seal(tokens.accessToken, boundTo.accessToken(accountId)),
    refreshToken: await sealer.seal(tokens.refreshToken, boundTo.refreshToken(accountId)),
    expiresAt: now() + tokens.expiresInS * 1000,
    scopes: tokens.scopes.join(' '),
  };
  const event = auditEvent(deps, {
    accountId,
    action: 'account.connected',
    subject: ['account', String(accountId)],
    after: { name, domain, scopes: grant.scopes },
  });
  if (person) {
    const { crmUserId, email, invitation } = person;
    const joined = auditEvent(deps, {
      ...{ accountId, action: 'staff.joined', subject: ['staff-invitation', invitation?.id ?? ''] },
      after: { role: invitation?.role },
    });
    return saveLogin(db, account, grant, now(), event, { accountId, crmUserId, email }, joined);
  }
  await saveAccount(db, account, grant, now(), event);
  return null;
}

/**
 * The same for a login. Null: the person was removed, and nothing of the grant is used. A name that the business has
 * already is not replaced by its domain.
 */
export async function connectGrantedAccount(
  deps: Deps,
  { accountId, accountDomain, timeZone, tokens, userId, email }: CrmGrant,
): Promise<number | null> {
  const person = { crmUserId: userId, email };
  const known = await findKnown(deps.db, { accountId, ...person }, deps.now());
  if (known.isOut) return null;
  const account = { accountId, name: known.name || accountDomain, domain: accountDomain, timeZone };
  return connectAccount(deps, account, tokens, { ...person, invitation: known.invitation }, Boolean(known.name));
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
