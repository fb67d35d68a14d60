import { ARCHIVE_MARK } from '#shared/archive';
import type { ArchiveManifest, ArchiveStatus } from '#shared/contracts/staff/archive-and-closing';
import { archiveSignature } from '#worker/clinic/capability-keys';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { insertEvent } from '#worker/data/audit/events';
import {
  changeArchive,
  claimArchive,
  countReferenced,
  deleteArchive,
  deleteArchiveFiles,
  findArchive,
  findMaxRowids,
  findNewestEventNumber,
  getLines,
  getPart,
  listArchives,
  putPart,
  replaceArchive,
} from '#worker/data/leaving/archives';
import { sumLedgerDays } from '#worker/data/operate/dumps';
import { countExport, exportTables, omissionsOf } from '#worker/data/operate/export';
import type { ArchiveKind, ArchiveRow } from '#worker/data/schema/operate';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { archiveEnd, concatBytes, directoryRecord, entryOf, pack } from '#worker/files/zip';
import { causeOf } from '#worker/log';
import { emptyProgress, nextPart, type Progress } from './archive-parts.ts';

/** The number of parts per run, so that payers' requests and other steps can run in between. */
const PARTS_PER_RUN = 2;
const NEXT_RUN_MS = 1000;
/** A claim expires after this (ms), in case its run was interrupted. */
const CLAIM_MS = 5 * 60_000;
/** Pause (ms) after a failed run, and after a try during which records changed. */
const RETRY_MS = 60_000;
const CHANGE_PAUSE_MS = 15_000;
/** If records change during every try, the archive of the last try is kept. */
const MAX_TRIES = 4;
/** A finished download is kept this long (ms). */
export const DOWNLOAD_LIFETIME_MS = 7 * 86_400_000;

/**
 * For a clinic's schedule: continues each requested download, some parts per run, and deletes expired ones. A run that
 * fails or is interrupted is resumed.
 */
export async function makeArchives(deps: Deps): Promise<void> {
  const { clinic, db, media, log, now } = deps;
  for (const row of await listArchives(db)) {
    if (row.endsAt <= now()) {
      // Files are deleted first: while the row exists, an interrupted run can be repeated.
      await deleteArchiveFiles(media, clinic, row.id);
      await deleteArchive(db, row);
      continue;
    }
    if (row.dueAt === null || row.dueAt > now() || !(await claimArchive(db, row, now() + CLAIM_MS))) continue;
    try {
      await continueArchive(deps, row);
    } catch (cause) {
      log.info('archive-halted', { clinic, cause: causeOf(cause) });
      await changeArchive(db, row, { dueAt: now() + RETRY_MS });
    }
  }
}

async function continueArchive(deps: Deps, row: ArchiveRow): Promise<void> {
  const { clinic, db, media, now } = deps;
  let progress = row.progress === '' ? await beginProgress(deps) : (JSON.parse(row.progress) as Progress);
  for (let n = 0; n < PARTS_PER_RUN && !progress.isWhole; n++) {
    const [part, next] = await nextPart(deps, row.kind, progress);
    if (part.bytes.length > 0)
      await putPart(media, { clinic, id: row.id, part: progress.parts.length }, part.bytes, part.lines);
    progress = next;
    await changeArchive(db, row, { progress: JSON.stringify(progress) });
  }
  if (!progress.isWhole) return changeArchive(db, row, { dueAt: now() + NEXT_RUN_MS });
  const acts = (await findNewestEventNumber(db)) - progress.mark;
  const tries = row.tries + 1;
  if (acts > 0 && tries < MAX_TRIES)
    return changeArchive(db, row, { progress: '', tries, dueAt: now() + CHANGE_PAUSE_MS * tries });
  await finishArchive(deps, row, progress, acts);
}

async function beginProgress({ db, now }: Deps): Promise<Progress> {
  const [cuts, mark, { counts }, files] = await Promise.all([
    findMaxRowids(db, exportTables),
    findNewestEventNumber(db),
    countExport(db),
    countReferenced(db),
  ]);
  const total = Object.values(counts).reduce((sum, n) => sum + n, files);
  return { ...structuredClone(emptyProgress), beganAt: now(), mark, cuts, total };
}

/** Writes the manifest, the directory and the signature over both. */
async function finishArchive(deps: Deps, row: ArchiveRow, progress: Progress, acts: number): Promise<void> {
  const { clinic, db, media, now, settings } = deps;
  const { accountId, kind, id } = row;
  const { counts, files, pieces, parts } = progress;
  const days = await sumLedgerDays(db, progress.cuts.ledger ?? 0);
  const ledgerCents = Object.values(days).reduce((sum, cents) => sum + cents, 0);
  const manifest: ArchiveManifest = {
    format: 1,
    account: accountId,
    clinic,
    kind,
    schema: CLINIC_SCHEMA,
    beganAt: progress.beganAt,
    at: now(),
    acts,
    ledgerCents,
    counts,
    files,
    pieces,
    parts,
    leftOut: omissionsOf(kind === 'clinic'),
  };
  const packed = await pack('manifest.json', `${JSON.stringify(manifest, null, 1)}\n`);
  const entry = entryOf(packed);
  const lines: Uint8Array[] = [];
  for (const part of parts.keys()) lines.push(await getLines(media, clinic, id, part));
  const directory = concatBytes([...lines, directoryRecord(packed, progress.bytes)]);
  const offset = progress.bytes + entry.length;
  const buildTail = (signature: string) =>
    concatBytes([
      entry,
      directory,
      archiveEnd(
        { entries: progress.entries + 1, size: directory.length, offset },
        `${ARCHIVE_MARK}${progress.bytes} ${signature}`,
      ),
    ]);
  // The comment's length is part of the signed data, so the signature's space is reserved first.
  const unsigned = buildTail('0'.repeat(64));
  const bytes = buildTail(archiveSignature(settings.CAPABILITY_KEYS, unsigned.slice(0, -64)));
  await putPart(media, { clinic, id, part: parts.length }, bytes, null);
  const finishedProgress = {
    ...progress,
    bytes: progress.bytes + bytes.length,
    parts: [...parts, { bytes: bytes.length, sha256: '' }],
  };
  await changeArchive(db, row, {
    dueAt: null,
    readyAt: now(),
    endsAt: now() + DOWNLOAD_LIFETIME_MS,
    progress: JSON.stringify({ ...finishedProgress, pieces: [], cuts: {} }),
  });
  deps.log.info('archived', { clinic, kind, acts });
}

const NO_ARCHIVE: ArchiveStatus = {
  state: 'none',
  done: 0,
  total: 0,
  parts: 0,
  bytes: 0,
  id: null,
  asked_at: null,
  ready_at: null,
  ends_at: null,
};

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

function statusOf(row: ArchiveRow | undefined, now: number): ArchiveStatus {
  if (!row || row.endsAt <= now) return NO_ARCHIVE;
  const progress = row.progress === '' ? null : (JSON.parse(row.progress) as Progress);
  const isReady = row.readyAt !== null;
  return {
    state: isReady ? 'ready' : 'making',
    done: progress?.done ?? 0,
    total: progress?.total ?? 0,
    parts: isReady ? (progress?.parts.length ?? 0) : 0,
    bytes: isReady ? (progress?.bytes ?? 0) : 0,
    id: row.id,
    asked_at: iso(row.requestedAt),
    ready_at: iso(row.readyAt),
    ends_at: iso(row.endsAt),
  };
}

/** The status of the download of all records. */
export const viewArchive = async ({ db, now }: Deps, kind: ArchiveKind): Promise<ArchiveStatus> =>
  statusOf(await findArchive(db, kind), now());

/**
 * Requests a download of all records, which the clinic's alarm creates. One in progress continues; a finished one is
 * replaced.
 */
export async function requestArchive(deps: Deps, accountId: number, kind: ArchiveKind): Promise<ArchiveStatus> {
  const { clinic, db, media, newId, now } = deps;
  const previous = await findArchive(db, kind);
  const id = newId();
  const request = { accountId, kind, id, requestedAt: now(), endsAt: now() + DOWNLOAD_LIFETIME_MS };
  const event = auditEvent(deps, { accountId, action: 'archive.asked-for', subject: ['archive', id], after: { kind } });
  if ((await replaceArchive(db, request, event)) && previous) await deleteArchiveFiles(media, clinic, previous.id);
  return viewArchive(deps, kind);
}

/** A part of a finished download. Null if there is none. The first part is recorded as an export of records. */
export async function fetchPart(
  deps: Deps,
  { accountId, kind, id, part }: { accountId: number; kind: ArchiveKind; id: string; part: number },
): Promise<R2ObjectBody | null> {
  const { clinic, db, media, now } = deps;
  const row = await findArchive(db, kind);
  if (!row || row.id !== id || row.readyAt === null || row.endsAt <= now()) return null;
  const body = await getPart(media, clinic, id, part);
  if (body && part === 0) {
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
  return body;
}
