import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type Anchor, type TrailReader, verifyTrail } from '#shared/audit-chain';
import { type Calls, eachOf, everyAccount } from './calls.ts';

/** A trail with all its accounts, from any source. */
export type Trail = TrailReader & {
  /** UTC ms; the installation (0) is among them, connected at 0. */
  accounts(): Promise<{ accountId: number; connectedAt: number }[]>;
  /** The newest anchor, or null. */
  anchor(): Promise<Anchor | null>;
};

/** Verifies every account, or only one, and reports each with `print`. True if there is no fault. */
export async function verifyAll(
  trail: Trail,
  accountFilter: number | null,
  print: (line: string) => void,
  now = Date.now(),
): Promise<boolean> {
  const anchor = await trail.anchor();
  print(
    anchor
      ? `anchor of ${anchor.at}, ${anchor.accounts.length} accounts`
      : 'no anchor: a truncated trail would go unnoticed',
  );
  const accounts = new Map((await trail.accounts()).map((account) => [account.accountId, account]));
  // An account may be missing completely, but the anchor still lists it.
  const accountIds = [...new Set([...accounts.keys(), ...(anchor?.accounts.map(({ account }) => account) ?? [])])]
    .filter((accountId) => accountFilter === null || accountId === accountFilter)
    .sort((a, b) => a - b);
  let faults = 0;
  for (const accountId of accountIds) {
    const head = anchor?.accounts.find(({ account }) => account === accountId);
    const account = accounts.get(accountId) ?? { accountId, connectedAt: 0 };
    const { fault, to, unsealed, unanchored } = await verifyTrail(trail, account, head, now);
    if (fault) faults += 1;
    print(
      fault
        ? `account ${accountId}: event ${fault.seq} ${fault.what}: ${fault.why}`
        : `account ${accountId}: verified to ${to}; ${unanchored} not anchored yet, ${unsealed} not sealed yet`,
    );
  }
  const total = accountIds.length;
  print(faults === 0 ? `${total} accounts, nothing is wrong` : `${faults} of ${total} accounts are wrong`);
  return faults === 0;
}

const Seals = z.array(
  z.object({
    account_id: z.number(),
    from_seq: z.number(),
    to_seq: z.number(),
    at: z.number(),
    rows_hash: z.string(),
    prev_hash: z.string(),
    hash: z.string(),
  }),
);
const AnchorFile = z.object({
  at: z.string(),
  accounts: z.array(z.object({ account: z.number(), seq: z.number(), hash: z.string() })),
});

/** The trails of all databases, as the product returns them. None of it is trusted. */
export function trailOf(calls: Calls, anchorFile?: string): Trail {
  return {
    accounts: async () =>
      eachOf(await everyAccount(calls), async (accountId) => {
        const { connectedAt } = await calls.trailEnds(accountId);
        return { accountId, connectedAt };
      }),
    ends: (account) => calls.trailEnds(account),
    events: async (account, from, to) =>
      (await calls.trailRows(account, 'events', from, to)).rows as Awaited<ReturnType<Trail['events']>>,
    seals: async (account, after, limit) => Seals.parse((await calls.trailRows(account, 'seals', after, limit)).rows),
    anchor: () =>
      anchorFile === undefined
        ? calls.anchor()
        : Promise.resolve(AnchorFile.parse(JSON.parse(readFileSync(anchorFile, 'utf8')))),
  };
}
