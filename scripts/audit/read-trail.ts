import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { type Calls, everyAccount } from '../operate/calls.ts';
import { eachOf } from '../operate/each.ts';
import type { Trail } from './verify-all.ts';

const Seals = z.array(
  z.object({
    ...{ account_id: z.number(), from_seq: z.number(), to_seq: z.number(), at: z.number() },
    ...{ rows_hash: z.string(), prev_hash: z.string(), hash: z.string() },
  }),
);
const AnchorFile = z.object({
  at: z.string(),
  accounts: z.array(z.object({ account: z.number(), seq: z.number(), hash: z.string() })),
});

/** The trails of all databases, as the product hands them out: nothing of them is taken for sound. */
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
