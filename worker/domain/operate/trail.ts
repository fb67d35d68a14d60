import type { Anchor } from '#shared/audit-chain';
import type { TrailEnds, TrailRows } from '#shared/contracts/operators/operate';
import { insertEvent } from '#worker/data/audit/events';
import { readNewestAnchor } from '#worker/data/audit/seals';
import { findClinic } from '#worker/data/directory/clinics';
import { type TrailAsked, trailEnds, trailRows } from '#worker/data/operate/trail';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** How many days back an anchor is looked for. */
const ANCHOR_DAYS = 14;

/** Where an account's trail begins and ends; null: the database is not the account's. */
export const viewTrailEnds = ({ db }: Deps, account: number): Promise<TrailEnds | null> => trailEnds(db, account);

export const viewTrailRows = ({ db }: Deps, account: number, asked: TrailAsked): Promise<TrailRows> =>
  trailRows(db, account, asked);

/** The newest seals outside the databases; null: none of the last 14 days is there. */
export const newestAnchor = ({ anchors, now }: Deps): Promise<Anchor | null> =>
  readNewestAnchor(anchors, now(), ANCHOR_DAYS);

/** `account`, `clinic`: as the address names them; below 1: it does not. */
export type Called = { route: string; account: number; clinic: number };

/**
 * Record that an operator's program asked for something, before it is answered. The event has the clinic's number and
 * not its account's, which an erasure must leave nowhere.
 */
export async function recordCall(deps: Deps, { route, account, clinic }: Called): Promise<void> {
  const number = clinic > 0 ? clinic : account > 0 ? await findClinic(deps.installation, account) : undefined;
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'operator.called',
    subject: number === undefined ? ['installation', ''] : ['clinic', String(number)],
    after: { route },
  });
  await insertEvent(deps.db, event);
}
