import type { ShownPasskey } from '#shared/contracts/passkey-request';
import { findStaffPasskey, type Shown, takeStaffChallenge } from '#worker/data/merchants/passkeys';
import type { StaffPasskeyRow } from '#worker/data/schema/proofs';
import type { Deps } from '#worker/deps';
import { issueChallenge, type Taken, takeIssued } from '#worker/domain/challenges/challenge';
import type { Merchant } from '#worker/domain/merchants/session';
import { passkeysOf } from '#worker/domain/passkeys';

/** A browser's answer to a challenge, and the cookie that came with it. */
export type Answer = { response: ShownPasskey; asked: string | undefined };

export const LOGIN = 'login';
/** What a challenge is for: of one person in one session, for one purpose. */
export const purposeOf = (what: 'proof' | 'new-passkey', { sessionId, accountId, userId }: Merchant): string =>
  `${what} ${accountId} ${userId} ${sessionId}`;

export const newStaffChallenge = (deps: Deps, purpose: string) =>
  issueChallenge(deps, deps.signed.staffChallenge, purpose);

/** Use up a challenge of the clinic at hand. Null: it is not ours, too old, for something else, or was answered. */
export const takeStaffAsked = (deps: Deps, asked: string | undefined, purpose: string): Promise<Taken | null> =>
  takeIssued(
    deps,
    deps.signed.staffChallenge,
    asked,
    (subject) => subject === purpose,
    (challenge, endsAt) => takeStaffChallenge(deps.db, challenge, endsAt),
  );

/** A row as the passkey's verifier takes it. */
export const readRow = ({ id, publicKey, counter, transports }: StaffPasskeyRow) => ({
  ...{ id, publicKey, counter },
  transports: JSON.parse(transports) as string[],
});

/** The passkey of the clinic at hand that answered its challenge. Null: of this challenge, for this purpose it is none. */
export async function readStaffPasskey(
  deps: Deps,
  { response, asked }: Answer,
  purpose: string,
): Promise<{ row: StaffPasskeyRow; shown: Shown } | null> {
  const taken = await takeStaffAsked(deps, asked, purpose);
  const row = taken && (await findStaffPasskey(deps.db, response.id));
  if (!row) return null;
  const after = await passkeysOf(deps).readSignIn(response, taken.challenge, readRow(row));
  return after === null ? null : { row, shown: { id: row.id, before: row.counter, after } };
}
