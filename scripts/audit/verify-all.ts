import type { Anchor } from '#shared/audit-chain';
import { type TrailReader, verifyTrail } from '#shared/audit-verify';

/** A trail with all its accounts, wherever it is read from. */
export type Trail = TrailReader & {
  /** UTC ms; the installation (0) is among them, connected at 0. */
  accounts(): Promise<{ accountId: number; connectedAt: number }[]>;
  /** The newest anchor, or null. */
  anchor(): Promise<Anchor | null>;
};

/** Verify every account, or one; says what it found. True: nothing is wrong. */
export async function verifyAll(
  trail: Trail,
  only: number | null,
  say: (line: string) => void,
  now = Date.now(),
): Promise<boolean> {
  const anchor = await trail.anchor();
  say(anchor ? `anchor of ${anchor.at}, ${anchor.accounts.length} accounts` : 'no anchor: a cut tail would not show');
  const known = new Map((await trail.accounts()).map((account) => [account.accountId, account]));
  // An account may be gone as a whole: the anchor remembers it.
  const asked = [...new Set([...known.keys(), ...(anchor?.accounts.map(({ account }) => account) ?? [])])]
    .filter((accountId) => only === null || accountId === only)
    .sort((a, b) => a - b);
  let faults = 0;
  for (const accountId of asked) {
    const head = anchor?.accounts.find(({ account }) => account === accountId);
    const account = known.get(accountId) ?? { accountId, connectedAt: 0 };
    const { fault, to, unsealed, unanchored } = await verifyTrail(trail, account, head, now);
    if (fault) faults += 1;
    say(
      fault
        ? `account ${accountId}: event ${fault.seq} ${fault.what}: ${fault.why}`
        : `account ${accountId}: verified to ${to}; ${unanchored} not anchored yet, ${unsealed} not sealed yet`,
    );
  }
  say(faults === 0 ? `${asked.length} accounts, nothing is wrong` : `${faults} of ${asked.length} accounts are wrong`);
  return faults === 0;
}
