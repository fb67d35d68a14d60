import type { ArchiveStatus } from '#shared/contracts/leaving';
import { insertEvent } from '#worker/data/audit/events';
import { dropArchiveFiles, getPart } from '#worker/data/leaving/archive-files';
import { askForArchive, findArchive } from '#worker/data/leaving/archives';
import type { ArchiveKind, ArchiveRow } from '#worker/data/schema/leaving';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Progress } from './archive-parts.ts';
import { FETCH_MS } from './make-archive.ts';

const NONE: ArchiveStatus = {
  ...{ state: 'none', done: 0, total: 0, parts: 0, bytes: 0 },
  ...{ id: null, asked_at: null, ready_at: null, ends_at: null },
};

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function statusOf(row: ArchiveRow | undefined, now: number): ArchiveStatus {
  if (!row || row.endsAt <= now) return NONE;
  const at = row.progress === '' ? null : (JSON.parse(row.progress) as Progress);
  const isReady = row.readyAt !== null;
  return {
    ...{ state: isReady ? 'ready' : 'making', done: at?.done ?? 0, total: at?.total ?? 0 },
    ...{ parts: isReady ? (at?.parts.length ?? 0) : 0, bytes: isReady ? (at?.bytes ?? 0) : 0 },
    ...{ id: row.id, asked_at: iso(row.requestedAt), ready_at: iso(row.readyAt), ends_at: iso(row.endsAt) },
  };
}

/** How the download of all records stands. */
export const viewArchive = async ({ db, now }: Deps, kind: ArchiveKind): Promise<ArchiveStatus> =>
  statusOf(await findArchive(db, kind), now());

/** Ask for a download of all records; the clinic's clock makes it. One that is being made goes on, one that is ready gives way. */
export async function askArchive(deps: Deps, accountId: number, kind: ArchiveKind): Promise<ArchiveStatus> {
  const { clinic, db, media, newId, now } = deps;
  const before = await findArchive(db, kind);
  const id = newId();
  const asked = { accountId, kind, id, requestedAt: now(), endsAt: now() + FETCH_MS };
  const event = auditEvent(deps, { accountId, action: 'archive.asked-for', subject: ['archive', id], after: { kind } });
  if ((await askForArchive(db, asked, event)) && before) await dropArchiveFiles(media, clinic, before.id);
  return viewArchive(deps, kind);
}

/** A part of a download that is ready. Null: there is none of that name. The first one leaves an event: records leave. */
export async function fetchPart(
  deps: Deps,
  { accountId, kind, id, part }: { accountId: number; kind: ArchiveKind; id: string; part: number },
): Promise<R2ObjectBody | null> {
  const { clinic, db, media, now } = deps;
  const row = await findArchive(db, kind);
  if (!row || row.id !== id || row.readyAt === null || row.endsAt <= now()) return null;
  const found = await getPart(media, clinic, id, part);
  if (found && part === 0) {
    const { total } = JSON.parse(row.progress) as Progress;
    await insertEvent(
      db,
      auditEvent(deps, {
        accountId,
        action: 'archive.fetched',
        subject: ['archive', id],
        after: { kind, rows: total },
      }),
    );
  }
  return found;
}
