import {
  insertHandoffCode,
  insertLoginState,
  redeemHandoffCode,
  redeemLoginState,
} from '#worker/data/merchants/sessions';
import type { Deps } from '#worker/deps';
import { CrmError, type CrmGrant } from '#worker/vendors/hubspot/port';
import { countAnonymousRefusal } from '../audit/refusals.ts';
import { clinicOfAccount, findOrCreateClinic } from './clinic-of-account.ts';
import { connectGrantedAccount } from './connect.ts';
import { type OpenSession, openSession } from './session.ts';

const LOGIN_MS = 10 * 60_000;
const HANDOFF_CODE_MS = 60_000;

/**
 * Begins a login. The browser keeps the state and we keep its hash, both for one use. `origin`: the browser's origin,
 * if it differs from that of the redirect URL. `mayWrite`: also requests the CRM scope for recording payments.
 */
export async function beginLogin(
  deps: Deps,
  origin = '',
  mayWrite = false,
): Promise<{ state: string; authorizeUrl: string }> {
  const [state, verifier] = [deps.newSecret(), `${deps.newSecret()}${deps.newSecret()}`];
  const row = { stateHash: await deps.sha256(state), verifier, endsAt: deps.now() + LOGIN_MS, origin };
  await insertLoginState(deps.installation, row);
  return { state, authorizeUrl: await deps.crm.authorizeUrl({ state, verifier, mayWrite }) };
}

export type LoginOutcome =
  /** `origin`: the origin where the login began; empty for this one. */
  | { kind: 'logged-in'; clinic: number; accountId: number; session: OpenSession; origin: string }
  /** No session yet: the handoff code opens it at the origin where the login began. */
  | { kind: 'elsewhere'; clinic: number; accountId: number; origin: string; code: string }
  | { kind: 'invalid' }
  | { kind: 'missing-scopes' }
  /** An administrator removed this person. */
  | { kind: 'removed' }
  | { kind: 'crm-unavailable' };

const idsOf = ({ clinic }: Deps, { accountId }: CrmGrant) => ({ clinic, accountId });
const REMOVED = { kind: 'removed' } as const;

/**
 * Completes a login with the response of the consent page. Its state must be unused, and belong to this browser unless
 * the login began at another origin. Only an account that granted every scope is logged in.
 */
export async function completeLogin(
  deps: Deps,
  { code, state, ownState, label }: { code: string; state: string; ownState: string | undefined; label: string },
): Promise<LoginOutcome> {
  const isSameBrowser = ownState === state;
  const stateHash = await deps.sha256(state);
  const loginState = await redeemLoginState(deps.installation, stateHash, deps.now(), isSameBrowser);
  if (!loginState) return { kind: 'invalid' };
  try {
    const grant = await deps.crm.exchangeCode(code, loginState.verifier);
    const clinicDeps = await findOrCreateClinic(deps, grant.accountId, grant.timeZone);
    const userId = await connectGrantedAccount(clinicDeps, grant);
    if (userId === null) return refuseRemovedPerson(deps, grant);
    const user = { accountId: grant.accountId, userId, email: grant.email };
    deps.log.info('merchant-logged-in', { accountId: user.accountId, userId });
    // Origins that differ only by port share cookies, so this browser's state may be present too.
    const { origin } = loginState;
    if (!isSameBrowser)
      return {
        kind: 'elsewhere',
        ...idsOf(clinicDeps, grant),
        origin,
        code: await issueHandoffCode(deps, user, stateHash),
      };
    const session = await openSession(clinicDeps, user, { beganBy: 'crm', label });
    return session ? { kind: 'logged-in', ...idsOf(clinicDeps, grant), session, origin } : REMOVED;
  } catch (cause) {
    if (!(cause instanceof CrmError)) throw cause;
    deps.log.info('login-failed', { reason: cause.reason });
    await countAnonymousRefusal(deps, 'login.refused', '/oauth');
    if (cause.reason === 'missing-scopes') return { kind: 'missing-scopes' };
    return { kind: cause.reason === 'unavailable' ? 'crm-unavailable' : 'invalid' };
  }
}

async function refuseRemovedPerson(deps: Deps, { accountId, userId }: CrmGrant): Promise<LoginOutcome> {
  deps.log.info('login-failed', { reason: 'removed', accountId, crmUserId: userId });
  await countAnonymousRefusal(deps, 'login.refused', '/oauth');
  return REMOVED;
}

async function issueHandoffCode(
  deps: Deps,
  { accountId, userId, email }: { accountId: number; userId: number; email: string },
  stateHash: string,
): Promise<string> {
  const code = deps.newSecret();
  const endsAt = deps.now() + HANDOFF_CODE_MS;
  const row = { codeHash: await deps.sha256(code), stateHash, accountId, userId, email, endsAt };
  await insertHandoffCode(deps.installation, row);
  return code;
}

/** Opens the session of a handoff code, in the browser that holds the state of its login. Null if it is invalid. */
export async function redeemHandoff(
  deps: Deps,
  code: string,
  ownState: string,
  label: string,
): Promise<OpenSession | null> {
  const [codeHash, stateHash] = [await deps.sha256(code), await deps.sha256(ownState)];
  const row = await redeemHandoffCode(deps.installation, codeHash, stateHash, deps.now());
  const clinic = row && (await clinicOfAccount(deps, row.accountId));
  return clinic && openSession(clinic, { accountId: row.accountId, userId: row.userId }, { beganBy: 'crm', label });
}
