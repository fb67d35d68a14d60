import { takeChallenge } from '#worker/data/operators/operators';
import type { Deps } from '#worker/deps';
import { issueChallenge, type Taken, takeIssued } from '#worker/domain/challenges/challenge';

export type { Asked } from '#worker/domain/challenges/challenge';

/** A new challenge for an operator. */
export const newChallenge = (deps: Deps, subject: string) => issueChallenge(deps, deps.signed.challenge, subject);

/** Use up an operator's challenge. */
export const takeAsked = (
  deps: Deps,
  asked: string | undefined,
  isMeant: (subject: string) => boolean,
): Promise<Taken | null> =>
  takeIssued(deps, deps.signed.challenge, asked, isMeant, (challenge, endsAt) =>
    takeChallenge(deps.installation, challenge, endsAt),
  );
