import { and, eq, inArray, isNotNull, isNull, lt } from 'drizzle-orm';
import {
  monitorFindings,
  monitorSources,
  type ScriptVersion,
  scriptVersions as versionTable,
} from '#worker/data/schema/monitoring';
import { eventWrite, type NewEvent } from '../audit/events.ts';
import type { Db } from '../db.ts';

/** Versions of third-party scripts on the pay page. Each has a row with its approval; the script itself is in R2. */

const bodyKey = (sha256: string) => `monitor/scripts/${sha256}.js`;

/** Hashes of the approved versions, last approved first. */
export async function listApprovedHashes(db: Db): Promise<string[]> {
  const rows = await db.select().from(versionTable).where(isNotNull(versionTable.approvedAt));
  return rows.sort((a, b) => (b.approvedAt ?? 0) - (a.approvedAt ?? 0)).map(({ sha256 }) => sha256);
}

export type SeenVersion = Pick<ScriptVersion, 'sha256' | 'type'> & { body: Uint8Array };

/** Store versions seen at `at` (UTC ms). The script is stored first, so that every row has one. */
export async function saveVersions(db: Db, media: R2Bucket, versions: SeenVersion[], at: number): Promise<void> {
  for (const { sha256, type, body } of versions) {
    const [updated] = await db
      .update(versionTable)
      .set({ lastSeenAt: at })
      .where(eq(versionTable.sha256, sha256))
      .returning({ sha256: versionTable.sha256 });
    if (updated) continue;
    await media.put(bodyKey(sha256), body, { httpMetadata: { contentType: 'text/plain; charset=utf-8' } });
    await db
      .insert(versionTable)
      .values({ sha256, type, bytes: body.byteLength, firstSeenAt: at, lastSeenAt: at })
      .onConflictDoUpdate({ target: versionTable.sha256, set: { lastSeenAt: at } });
  }
}

export type Approval = { sha256: string; operator: string; reason: string; at: number; event: NewEvent };

export type ApprovalOutcome =
  | { kind: 'approved'; closedFindings: number }
  /** The first approval stays unchanged, because its operator, time and reason are evidence. */
  | { kind: 'already-approved'; by: string; at: number }
  | { kind: 'not-found' };

/** Record the approval of a version, and close the findings about it, in one transaction. */
export async function approveVersion(
  db: Db,
  { sha256, operator, reason, at, event }: Approval,
): Promise<ApprovalOutcome> {
  const [approved, , closed, [version]] = await db.batch([
    db
      .update(versionTable)
      .set({ approvedAt: at, approvedBy: operator, reason })
      .where(and(eq(versionTable.sha256, sha256), isNull(versionTable.approvedAt)))
      .returning({ sha256: versionTable.sha256 }),
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
    db.select().from(versionTable).where(eq(versionTable.sha256, sha256)),
  ]);
  if (!version) return { kind: 'not-found' };
  if (approved.length > 0) return { kind: 'approved', closedFindings: closed.length };
  return { kind: 'already-approved', by: version.approvedBy, at: version.approvedAt ?? at };
}

/** Delete versions last seen before `cutoff` (UTC ms), each with its script; at most `limit`. */
export async function deleteOldVersions(db: Db, media: R2Bucket, cutoff: number, limit: number): Promise<void> {
  const expired = await db
    .select({ sha256: versionTable.sha256 })
    .from(versionTable)
    .where(lt(versionTable.lastSeenAt, cutoff))
    .limit(limit);
  if (expired.length === 0) return;
  const hashes = expired.map(({ sha256 }) => sha256);
  await media.delete(hashes.map(bodyKey));
  await db.delete(versionTable).where(inArray(versionTable.sha256, hashes));
}
