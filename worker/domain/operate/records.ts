import type { Anchor } from '#shared/audit-chain';
import type { TrailEnds, TrailRows } from '#shared/contracts/operate';
import { readNewestAnchor } from '#worker/data/audit/anchors';
import { type TrailAsked, trailEnds, trailRows } from '#worker/data/operate/trail';
import type { Deps } from '#worker/deps';

/** How many days back an anchor is looked for. */
const ANCHOR_DAYS = 14;

/** Where an account's trail begins and ends; null: the database is not the account's. */
export const viewTrailEnds = ({ db }: Deps, account: number): Promise<TrailEnds | null> => trailEnds(db, account);

export const viewTrailRows = ({ db }: Deps, account: number, asked: TrailAsked): Promise<TrailRows> =>
  trailRows(db, account, asked);

/** The newest seals outside the databases; null: none of the last 14 days is there. */
export const newestAnchor = ({ anchors, now }: Deps): Promise<Anchor | null> =>
  readNewestAnchor(anchors, now(), ANCHOR_DAYS);
