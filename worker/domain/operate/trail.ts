import type { Anchor } from '#shared/audit-chain';
import type { TrailEnds, TrailRows } from '#shared/contracts/operators/operate';
import { insertEvent } from '#worker/data/audit/events';
import { readNewestAnchor } from '#worker/data/audit/seals';
import { findClinic } from '#worker/data/directory/clinics';
import { readTrailEnds, readTrailRows, type TrailQuery } from '#worker/data/operate/trail';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';

/** The number of days to search back for an anchor. */
const ANCHOR_DAYS = 14;

/** The first and last event of an account's trail. Null if the database belongs to another account. */
export const viewTrailEnds = ({ db }: Deps, account: number): Promise<TrailEnds | null> => readTrailEnds(db, account);

export const viewTrailRows = ({ db }: Deps, account: number, query: TrailQuery): Promise<TrailRows> =>
  readTrailRows(db, account, query);

/** The newest seals that are stored outside the databases. Null if there are none from the last 14 days. */
export const newestAnchor = ({ anchors, now }: Deps): Promise<Anchor | null> =>
  readNewestAnchor(anchors, now(), ANCHOR_DAYS);

/** `account` and `clinic` from the request's URL; below 1 if the URL has none. */
export type OperatorCall = { route: string; account: number; clinic: number };

/**
 * Records a request of an operator's program before it is answered. The event names the clinic's number, not its
 * account, because an erasure must remove the account everywhere.
 */
export async function recordCall(deps: Deps, { route, account, clinic }: OperatorCall): Promise<void> {
  const clinicNumber = clinic > 0 ? clinic : account > 0 ? await findClinic(deps.installation, account) : undefined;
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'operator.called',
    subject: clinicNumber === undefined ? ['installation', ''] : ['clinic', String(clinicNumber)],
    after: { route },
  });
  await insertEvent(deps.db, event);
}
