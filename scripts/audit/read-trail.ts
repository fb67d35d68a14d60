import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import { type Anchor, EVENT_COLUMNS } from '#shared/audit-chain';
import { asking } from '../going-live/ask-database.ts';
import { entryOf, QUIET } from '../local/processes.ts';
import { readLocal } from '../local/settings.ts';
import type { Trail } from './verify-all.ts';

const DAY_MS = 86_400_000;
/** How many days back an anchor is looked for. */
const DAYS = 14;
const BUCKET = 'tillway-audit-anchors';

const Rows = z.array(z.looseObject({ seq: z.number() }));
const Seals = z.array(
  z.object({
    ...{ hub_id: z.number(), from_seq: z.number(), to_seq: z.number(), at: z.number() },
    ...{ rows_hash: z.string(), prev_hash: z.string(), hash: z.string() },
  }),
);
const Ends = z.array(z.object({ first: z.nullable(z.number()), last: z.nullable(z.number()) }));
const Accounts = z.array(z.object({ accountId: z.number(), connectedAt: z.number() }));
const AnchorFile = z.object({
  at: z.string(),
  accounts: z.array(z.object({ account: z.number(), seq: z.number(), hash: z.string() })),
});

/** The trail of the installation that wrangler is logged in to. */
export const productionTrail = (anchorFile?: string): Trail => trailOf(['--remote', '-c', 'wrangler.toml'], anchorFile);

/** The trail in the state folder of `npm start`. */
export const localTrail = (anchorFile?: string): Trail =>
  trailOf(['--local', '--persist-to', readLocal(process.env).state, '-c', 'wrangler.toml'], anchorFile);

export function trailOf(where: string[], anchorFile?: string): Trail {
  const ask = asking(where);
  return {
    accounts: async () =>
      Accounts.parse(
        await ask('SELECT hub_id AS accountId, connected_at AS connectedAt FROM hubs UNION ALL SELECT 0, 0'),
      ),
    ends: async (accountId) => {
      const [ends] = Ends.parse(
        await ask(`SELECT min(seq) AS first, max(seq) AS last FROM audit_events WHERE hub_id = ${accountId}`),
      );
      return { first: ends?.first ?? 0, last: ends?.last ?? 0 };
    },
    events: async (accountId, from, to) =>
      Rows.parse(
        await ask(
          `SELECT ${EVENT_COLUMNS.join(', ')} FROM audit_events
WHERE hub_id = ${accountId} AND seq BETWEEN ${from} AND ${to} ORDER BY seq`,
        ),
      ) as Awaited<ReturnType<Trail['events']>>,
    seals: async (accountId, after, limit) =>
      Seals.parse(
        await ask(
          `SELECT hub_id, from_seq, to_seq, rows_hash, prev_hash, hash, at FROM audit_seals
WHERE hub_id = ${accountId} AND to_seq > ${after} ORDER BY from_seq LIMIT ${limit}`,
        ),
      ),
    anchor: () =>
      anchorFile === undefined
        ? newestAnchor(where)
        : Promise.resolve(AnchorFile.parse(JSON.parse(readFileSync(anchorFile, 'utf8')))),
  };
}

async function newestAnchor(where: string[]): Promise<Anchor | null> {
  for (let back = 0; back < DAYS; back++) {
    const day = new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
    const args = ['r2', 'object', 'get', `${BUCKET}/anchors/${day}.json`, '--pipe', ...where];
    const stdout = await promisify(execFile)(process.execPath, [...entryOf('wrangler'), ...args], {
      env: { ...process.env, ...QUIET },
    }).then(
      (ended) => ended.stdout,
      () => null,
    );
    if (stdout !== null) return AnchorFile.parse(JSON.parse(stdout.slice(stdout.indexOf('{'))));
  }
  return null;
}
