import { operator } from '#shared/operator';
import type { Deps } from '#worker/deps';
import { createPasskeys, type Passkeys } from '#worker/security/passkeys';

/** A WebAuthn request for the browser: the standard options, and a signed token that is returned in a cookie. */
export type ChallengeRequest = { options: object; challengeToken: string };

/** A challenge that was answered in time and for the first time. */
export type AnsweredChallenge = { challenge: string; subject: string };

type SignedTokens = Deps['signed']['challenge'];
type IssueDeps = Pick<Deps, 'newSecret' | 'now'>;

/** Creates a challenge. It is not stored until it is answered, so that unknown callers cause no writes. */
export async function issueChallenge(
  { newSecret, now }: IssueDeps,
  tokens: SignedTokens,
  subject: string,
): Promise<{ challenge: string; challengeToken: string }> {
  const challenge = newSecret();
  return { challenge, challengeToken: await tokens.issue({ id: challenge, subject }, now()) };
}

/**
 * Uses up the challenge behind a cookie. Null if it is not ours, expired, for another purpose, or already used. A
 * challenge for another purpose is not used up, since anyone can request sign-in challenges. `consume`: returns true
 * for the first use; `endsAt` in UTC ms.
 */
export async function redeemIssuedChallenge(
  { now }: Pick<Deps, 'now'>,
  tokens: SignedTokens,
  challengeToken: string | undefined,
  isExpected: (subject: string) => boolean,
  consume: (challenge: string, endsAt: number) => Promise<boolean>,
): Promise<AnsweredChallenge | null> {
  const claims = challengeToken ? await tokens.read(challengeToken, now()) : null;
  if (!claims || !isExpected(claims.subject) || !(await consume(claims.id, claims.endsAt))) return null;
  return { challenge: claims.id, subject: claims.subject };
}

/** Passkeys for logins to this site. Not part of Deps, since the library would be a third of the start-up code. */
export const passkeysOf = ({ settings }: Pick<Deps, 'settings'>): Passkeys =>
  createPasskeys({ appUrl: settings.APP_URL, name: operator.name });
