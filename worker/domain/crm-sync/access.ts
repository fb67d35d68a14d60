import {
  type CrmTokenRow,
  findTokens,
  leaseTokens,
  markRevoked,
  releaseLease,
  storeTokens,
} from '#worker/data/crm-sync/tokens';
import type { Deps } from '#worker/deps';
import { auditEvent, bySystem } from '#worker/domain/audit/event';
import { causeOf } from '#worker/log';
import { boundTo } from '#worker/security/token-cipher';
import { CrmError } from '#worker/vendors/hubspot/port';

/** Refresh this long before the expiry (ms), because the CRM does not reliably answer 401 after it. */
const REFRESH_AHEAD_MS = 60_000;
const LEASE_MS = 10_000;
const LEASE_POLL_MS = 100;

/** Calls the CRM; on a CrmError, logs the cause and returns `crm-unavailable`. */
export async function callCrm<T>(
  { log }: Deps,
  accountId: number,
  request: () => Promise<T>,
): Promise<T | 'crm-unavailable'> {
  try {
    return await request();
  } catch (cause) {
    if (!(cause instanceof CrmError)) throw cause;
    log.info('crm-read-failed', { accountId, cause: causeOf(cause) });
    return 'crm-unavailable';
  }
}

/**
 * Calls the CRM for an account with a valid token. Refreshes it ahead of its expiry, and once more if the CRM reports
 * it as expired. The call also gets the account's time zone. Throws CrmError.
 */
export async function withCrm<T>(
  deps: Deps,
  row: CrmTokenRow,
  call: (accessToken: string, timeZone: string) => Promise<T>,
): Promise<T> {
  if (row.revokedAt !== null) throw new CrmError('revoked', 'the account must be connected again');
  const validRow = row.expiresAt - deps.now() > REFRESH_AHEAD_MS ? row : await refresh(deps, row);
  try {
    return await call(await openAccessToken(deps, validRow), row.timeZone);
  } catch (cause) {
    if (!(cause instanceof CrmError) || cause.reason !== 'expired') throw cause;
    return call(await openAccessToken(deps, await refresh(deps, validRow)), row.timeZone);
  }
}

const openAccessToken = (deps: Deps, row: CrmTokenRow) =>
  deps.sealer.open(row.accessToken, boundTo.accessToken(row.accountId));

/**
 * Refreshes the token, one call at a time per account across all isolates, because the CRM may rotate refresh tokens
 * and a second call with the old one would end the grant. Callers that lose the lease wait for the winner's row.
 */
async function refresh(deps: Deps, row: CrmTokenRow): Promise<CrmTokenRow> {
  const giveUpAt = deps.now() + LEASE_MS + 5_000;
  while (deps.now() < giveUpAt) {
    if (await leaseTokens(deps.db, row, deps.now(), LEASE_MS)) return refreshAsHolder(deps, row);
    const currentRow = await findTokens(deps.db, row.accountId);
    if (!currentRow || currentRow.revokedAt !== null)
      throw new CrmError('revoked', 'the account must be connected again');
    if (currentRow.version !== row.version) return currentRow;
    await deps.pause(LEASE_POLL_MS);
  }
  throw new CrmError('unavailable', 'the token refresh takes too long');
}

async function refreshAsHolder(deps: Deps, row: CrmTokenRow): Promise<CrmTokenRow> {
  const { db, sealer, crm, now, log } = deps;
  try {
    const tokens = await crm.refreshTokens(await sealer.open(row.refreshToken, boundTo.refreshToken(row.accountId)));
    const sealedTokens = {
      accessToken: await sealer.seal(tokens.accessToken, boundTo.accessToken(row.accountId)),
      refreshToken: await sealer.seal(tokens.refreshToken, boundTo.refreshToken(row.accountId)),
      expiresAt: now() + tokens.expiresInS * 1000,
    };
    // The old refresh token may already be invalid, so a lost write would lose the grant.
    await storeTokens(db, row, sealedTokens).catch(() => storeTokens(db, row, sealedTokens));
    return { ...row, ...sealedTokens, version: row.version + 1 };
  } catch (cause) {
    if (cause instanceof CrmError && cause.reason === 'revoked') {
      const { accountId, scopes } = row;
      const subject: [string, string] = ['account', String(accountId)];
      const event = auditEvent(bySystem(deps), { accountId, action: 'grant.revoked', subject, before: { scopes } });
      await markRevoked(db, row, now(), event);
      log.alert('crm-grant-revoked', { accountId: row.accountId });
    } else {
      await releaseLease(db, row);
    }
    throw cause;
  }
}
