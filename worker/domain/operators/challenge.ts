import { takeChallenge } from '#worker/data/operators/operators';
import type { Deps } from '#worker/deps';

/** What a browser is asked for: options of the standard, and a signed token that its cookie brings back. */
export type Asked = { options: object; asked: string };

/** A challenge that was answered in time and for the first time. */
export type Taken = { challenge: string; subject: string };

/** A new challenge. It is not stored until it is answered, so that strangers write nothing. */
export async function newChallenge(deps: Deps, subject: string): Promise<{ challenge: string; asked: string }> {
  const challenge = deps.newSecret();
  return { challenge, asked: await deps.signed.challenge.issue({ id: challenge, subject }, deps.now()) };
}

/**
 * Use up the challenge behind a cookie. Null: it is not ours, too old, for another purpose, or was answered before. One
 * for another purpose is not used up: strangers get challenges of a sign-in for nothing.
 */
export async function takeAsked(
  deps: Deps,
  asked: string | undefined,
  isMeant: (subject: string) => boolean,
): Promise<Taken | null> {
  const claims = asked ? await deps.signed.challenge.read(asked, deps.now()) : null;
  if (!claims || !isMeant(claims.subject) || !(await takeChallenge(deps.installation, claims.id, claims.endsAt)))
    return null;
  return { challenge: claims.id, subject: claims.subject };
}
