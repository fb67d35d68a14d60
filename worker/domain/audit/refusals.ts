import type { AuditAction } from '#shared/audit';
import { countRefusals, listEndedRefusals, type RefusalRow, replaceRefusalByEvent } from '#worker/data/audit/events';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { causeOf } from '#worker/log';
import { auditEvent } from './event.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const BATCH = 25;

const hourOf = (at: number) => at - (at % HOUR_MS);

/** Counts a refused request of a logged-in user: one row per session and hour, in the account's trail. */
export async function recordRefusal(deps: Deps, accountId: number, route: string): Promise<void> {
  const { kind, id, sessionId, ipHash } = deps.actor;
  await saveCount(deps, {
    accountId,
    sessionId,
    action: 'access.refused',
    actorKind: kind,
    actorId: id,
    ipHash,
    route,
    n: 1,
  });
}

type AnonymousAction = Extract<AuditAction, 'access.refused' | 'login.refused' | 'webhook.forged'>;

/** Refusals of unknown callers that this isolate has not written yet. */
const pendingCounts = new Map<AnonymousAction, { n: number; writtenAt: number }>();

/**
 * Counts a refusal of an unknown caller. Any client can cause any number of them, so an isolate writes its count at
 * most once a minute: the sum is a lower bound. Undefined if nothing is written now.
 */
export function countAnonymousRefusal(deps: Deps, action: AnonymousAction, route: string): Promise<void> | undefined {
  const now = deps.now();
  const pendingCount = pendingCounts.get(action) ?? { n: 0, writtenAt: 0 };
  pendingCount.n += 1;
  pendingCounts.set(action, pendingCount);
  if (Math.abs(now - pendingCount.writtenAt) < MINUTE_MS) return undefined;
  const { n } = pendingCount;
  Object.assign(pendingCount, { n: 0, writtenAt: now });
  const anonymousActor = {
    accountId: INSTALLATION,
    sessionId: '',
    actorKind: 'system',
    actorId: '',
    ipHash: '',
  } as const;
  // Refusals of unknown callers belong to the installation's trail, regardless of the clinic that refused them.
  return saveCount({ ...deps, db: deps.installation }, { ...anonymousActor, action, route, n });
}

/** Never throws: a failed count must not change the response. */
async function saveCount(deps: Deps, row: Omit<RefusalRow, 'hour'>): Promise<void> {
  await countRefusals(deps.db, { ...row, hour: hourOf(deps.now()) }).catch((cause: unknown) =>
    deps.log.info('refusal-not-counted', { cause: causeOf(cause) }),
  );
}

/** For the schedule: turns each count of a completed hour into one event. */
export async function foldRefusals(deps: Deps): Promise<void> {
  for (const row of await listEndedRefusals(deps.db, hourOf(deps.now()), BATCH)) {
    const { accountId, sessionId, actorKind, actorId, ipHash, action, route, n, hour } = row;
    const actor = { kind: actorKind, id: actorId, sessionId, ipHash, requestId: '' };
    const after = { count: n, hour: new Date(hour).toISOString() };
    await replaceRefusalByEvent(
      deps.db,
      row,
      auditEvent({ ...deps, actor }, { accountId, action: action as AuditAction, subject: ['route', route], after }),
    );
  }
}
