import { insertLoginState, takeLoginState } from '../data/sessions.ts';
import type { Deps } from '../deps.ts';
import { CrmError } from '../ports.ts';
import { connectAccount } from './connect-hub.ts';
import { type OpenSession, openSession } from './session.ts';

const LOGIN_MS = 10 * 60_000;

/** Begin a login: the state stays in the browser that asks, its hash here, both good once. */
export async function beginLogin(deps: Deps): Promise<{ state: string; authorizeUrl: string }> {
  const [state, verifier] = [deps.newCapability(), `${deps.newCapability()}${deps.newCapability()}`];
  const now = deps.now();
  await insertLoginState(deps.db, { stateHash: await deps.sha256(state), verifier, endsAt: now + LOGIN_MS }, now);
  return { state, authorizeUrl: await deps.crm.authorizeUrl({ state, verifier }) };
}

export type LoginOutcome =
  | { kind: 'logged-in'; session: OpenSession }
  | { kind: 'invalid' }
  | { kind: 'missing-scopes' }
  | { kind: 'crm-unavailable' };

/**
 * End a login with what came back from the consent page. The state must be the one of this very browser and not have been
 * used; a session is opened only for an account that granted everything.
 */
export async function completeLogin(
  deps: Deps,
  { code, state, ownState }: { code: string; state: string; ownState: string | undefined },
): Promise<LoginOutcome> {
  if (!ownState || ownState !== state) return { kind: 'invalid' };
  const verifier = await takeLoginState(deps.db, await deps.sha256(state), deps.now());
  if (!verifier) return { kind: 'invalid' };
  try {
    const grant = await deps.crm.exchangeCode(code, verifier);
    await connectAccount(deps, grant);
    deps.log.info('merchant-logged-in', { hubId: grant.hubId, userId: grant.userId });
    return { kind: 'logged-in', session: await openSession(deps, grant) };
  } catch (cause) {
    if (!(cause instanceof CrmError)) throw cause;
    deps.log.info('login-failed', { reason: cause.reason });
    if (cause.reason === 'missing-scopes') return { kind: 'missing-scopes' };
    return { kind: cause.reason === 'unavailable' ? 'crm-unavailable' : 'invalid' };
  }
}
