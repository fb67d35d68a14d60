import { countFactorCodeAttempt, insertFactorCode, markFactorCodeUsed } from '#worker/data/merchants/proofs';
import { findMember } from '#worker/data/merchants/team';
import type { Deps } from '#worker/deps';
import type { TooManyTries } from '#worker/domain/content/accounts/rate-limit';
import type { Merchant } from '#worker/domain/merchants/session';
import { boundTo } from '#worker/security/token-cipher';

/** A mailed code of eight digits, uniformly random. */
export async function newMailedCode({ sha256, newSecret }: Pick<Deps, 'sha256' | 'newSecret'>): Promise<string> {
  const digits = BigInt(`0x${await sha256(newSecret())}`) % 100_000_000n;
  return String(digits).padStart(8, '0');
}

const CODE_LIFETIME_MS = 10 * 60_000;
const MAX_TRIES = 5;
const MAX_PER_HOUR = 5;

/**
 * The hash includes the refresh token, so that nobody who reads the table can find the code by trying all codes, and no
 * other session can use it.
 */
const codeHashOf = (deps: Deps, id: string, refreshToken: string, code: string) =>
  deps.sha256(`factor ${id} ${refreshToken} ${code}`);

/** Queues an email with a code for a first passkey or PIN. `no-address`: the person has no known address. */
export async function requestFactorCode(
  deps: Deps,
  caller: Merchant,
  refreshToken: string,
): Promise<{ kind: 'asked'; mailId: string } | { kind: 'no-address' } | TooManyTries> {
  const member = await findMember(deps.db, caller);
  if (!member?.email) return { kind: 'no-address' };
  const [id, code, createdAt] = [deps.newId(), await newMailedCode(deps), deps.now()];
  const { accountId, userId, sessionId } = caller;
  const row = {
    id,
    accountId,
    userId,
    sessionId,
    codeHash: await codeHashOf(deps, id, refreshToken, code),
    createdAt,
    endsAt: createdAt + CODE_LIFETIME_MS,
  };
  const mailId = `factor-code-${id}`;
  const details = { token: await deps.sealer.seal(code, boundTo.mail(mailId)) };
  const mail = { id: mailId, kind: 'factor-code' as const, recipient: member.email, accountId, details };
  if (!(await insertFactorCode(deps.db, row, { maxPerHour: MAX_PER_HOUR, mail })))
    return { kind: 'too-many', retryAfterS: 3600 };
  return { kind: 'asked', mailId };
}

/** Uses up a code, in the session that requested it. False if it is not accepted, for any reason. */
export async function redeemFactorCode(
  deps: Deps,
  caller: Merchant,
  refreshToken: string,
  code: string,
): Promise<boolean> {
  const row = await countFactorCodeAttempt(deps.db, caller, MAX_TRIES, deps.now());
  if (row?.codeHash !== (await codeHashOf(deps, row?.id ?? '', refreshToken, code))) return false;
  return markFactorCodeUsed(deps.db, row.id, deps.now());
}
