import { operator } from '#shared/operator';
import type { Deps } from '#worker/deps';
import { createPasskeys, type Passkeys } from '#worker/security/passkeys';

/** What a browser is asked for: options of the standard, and a signed token that its cookie brings back. */
export type Asked = { options: object; asked: string };

/** A challenge that was answered in time and for the first time. */
export type Taken = { challenge: string; subject: string };

type SignedTokens = Deps['signed']['challenge'];
type Making = Pick<Deps, 'newSecret' | 'now'>;

/** A new challenge. It is not stored until it is answered, so that strangers write nothing. */
export async function issueChallenge(
  { newSecret, now }: Making,
  tokens: SignedTokens,
  subject: string,
): Promise<{ challenge: string; asked: string }> {
  const challenge = newSecret();
  return { challenge, asked: await tokens.issue({ id: challenge, subject }, now()) };
}

/**
 * Use up the challenge behind a cookie. Null: it is not ours, too old, for another purpose, or was answered before. One
 * for another purpose is not used up: strangers get challenges of a sign-in for nothing. `take`: whether it was the
 * first to use it; `endsAt` in UTC ms.
 */
export async function takeIssued(
  { now }: Pick<Deps, 'now'>,
  tokens: SignedTokens,
  asked: string | undefined,
  isMeant: (subject: string) => boolean,
  take: (challenge: string, endsAt: number) => Promise<boolean>,
): Promise<Taken | null> {
  const claims = asked ? await tokens.read(asked, now()) : null;
  if (!claims || !isMeant(claims.subject) || !(await take(claims.id, claims.endsAt))) return null;
  return { challenge: claims.id, subject: claims.subject };
}

/** Passkeys of people who log in here. Not part of Deps, since the library is a third of what the Worker would start with. */
export const passkeysOf = ({ settings }: Pick<Deps, 'settings'>): Passkeys =>
  createPasskeys({ appUrl: settings.APP_URL, name: operator.name });
