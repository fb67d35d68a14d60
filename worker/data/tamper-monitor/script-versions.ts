import { and, eq, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import {
  monitorFindings,
  monitorSources,
  type ScriptVersion,
  scriptVersions as v,
} from '#worker/data/schema/monitoring';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** Versions of third-party scripts on the pay page. Each has a row with its approval; the script itself is in R2. */

const bodyKey = (sha256: string) => `monitor/scripts/${sha256}.js`;

/** Hashes of the approved versions, last approved first. */
export async function listApproved(db: Db): Promise<string[]> {
  const rows = await db.select().from(v).where(isNotNull(v.approvedAt));
  return rows.sort((a, b) => (b.approvedAt ?? 0) - (a.approvedAt ?? 0)).map(({ sha256 }) => sha256);
}

export type SeenVersion = Pick<ScriptVersion, 'sha256' | 'type'> & { body: Uint8Array };

/** Store versions seen at `at` (UTC ms). The script is stored first, so that every row has one. */
export async function saveVersions(db: Db, media: R2Bucket, versions: SeenVersion[], at: number): Promise<void> {
  for (const { sha256, type, body } of versions) {
    const [updated] = await db
      .update(v)
      .set({ lastSeenAt: at })
      .where(eq(v.sha256, sha256))
      .returning({ sha256: v.sha256 });
    if (updated) continue;
    await media.put(bodyKey(sha256), body, { httpMetadata: { contentType: 'text/plain; charset=utf-8' } });
    await db
      .insert(v)
      .values({ sha256, type, bytes: body.byteLength, firstSeenAt: at, lastSeenAt: at })
      .onConflictDoUpdate({ target: v.sha256, set: { lastSeenAt: at } });
  }
}

export type Approval = { sha256: string; by: string; reason: string; at: number; event: NewEvent };

export type ApprovalOutcome =
  | { kind: 'approved'; closedFindings: number }
  /** The first approval stays unchanged, because its operator, time and reason are evidence. */
  | { kind: 'already-approved'; by: string; at: number }
  | { kind: 'not-found' };

/** Record the approval of a version, and close the findings about it, in one transaction. */
export async function approveVersion(db: Db, { sha256, by, reason, at, event }: Approval): Promise<ApprovalOutcome> {
  const [approved, , closed, [version]] = await db.batch([
    db
      .update(v)
      .set({ approvedAt: at, approvedBy: by, reason })
      .where(and(eq(v.sha256, sha256), isNull(v.approvedAt)))
      .returning({ sha256: v.sha256 }),
    eventWrite(db, event),
    db
      .update(monitorFindings)
      .set({ closedAt: at, closedAs: 'approved' })
      .where(
        and(
          inArray(monitorFindings.source, [...monitorSources]),
          eq(monitorFindings.kind, 'script-changed'),
          eq(monitorFindings.seen, sha256),
          isNull(monitorFindings.closedAt),
        ),
      )
      .returning({ id: monitorFindings.id }),
    db.select().from(v).where(eq(v.sha256, sha256)),
  ]);
  if (!version) return { kind: 'not-found' };
  if (approved.length > 0) return { kind: 'approved', closedFindings: closed.length };
  return { kind: 'already-approved', by: version.approvedBy, at: version.approvedAt ?? at };
}

/** Delete versions last seen before `cutoff` (UTC ms), each with its script; at most `limit`. */
export async function dropVersions(db: Db, media: R2Bucket, cutoff: number, limit: number): Promise<void> {
  const expired = await db.select({ sha256: v.sha256 }).from(v).where(lt(v.lastSeenAt, cutoff)).limit(limit);
  if (expired.length === 0) return;
  const hashes = expired.map(({ sha256 }) => sha256);
  await media.delete(hashes.map(bodyKey));
  await db.delete(v).where(inArray(v.sha256, hashes));
}
