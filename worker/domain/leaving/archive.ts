import { ARCHIVE_MARK } from '#shared/archive';
import type { ArchiveManifest, ArchiveStatus } from '#shared/contracts/staff/leaving';
import { archiveSignature } from '#worker/clinic/capability-keys';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { insertEvent } from '#worker/data/audit/events';
import {
  askForArchive,
  changeArchive,
  claimArchive,
  countNamed,
  cutsOf,
  dropArchive,
  dropArchiveFiles,
  findArchive,
  getLines,
  getPart,
  listArchives,
  newestEvent,
  putPart,
} from '#worker/data/leaving/archives';
import { sumLedgerDays } from '#worker/data/operate/dumps';
import { countExport, exportTables, leftOut } from '#worker/data/operate/export';
import type { ArchiveKind, ArchiveRow } from '#worker/data/schema/operate';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { archiveEnd, directoryLine, entryOf, joined, pack } from '#worker/files/zip';
import { causeOf } from '#worker/log';
import { nextPart, nothingYet, type Progress } from './archive-parts.ts';

/** Parts per run, so that payers' requests and other steps can run in between. */
const PARTS = 2;
const NEXT_MS = 1000;
/** A claim expires after this (ms), in case its run died. */
const CLAIM_MS = 5 * 60_000;
/** Pause (ms) after a failed run, and after a try during which records changed. */
const AGAIN_MS = 60_000;
const CALMER_MS = 15_000;
/** If records change during every try, the archive of the last try is kept. */
const TRIES = 4;
/** A finished download is kept this long (ms). */
export const FETCH_MS = 7 * 86_400_000;

/**
 * For a clinic's schedule: continues each requested download, some parts per run, and deletes expired ones. A run that
 * fails or dies is resumed.
 */
export async function makeArchives(deps: Deps): Promise<void> {
  const { clinic, db, media, log, now } = deps;
  for (const row of await listArchives(db)) {
    if (row.endsAt <= now()) {
      // Files are deleted first: while the row exists, a run that died can be repeated.
      await dropArchiveFiles(media, clinic, row.id);
      await dropArchive(db, row);
      continue;
    }
    if (row.dueAt === null || row.dueAt > now() || !(await claimArchive(db, row, now() + CLAIM_MS))) continue;
    try {
      await goOn(deps, row);
    } catch (cause) {
      log.info('archive-halted', { clinic, cause: causeOf(cause) });
      await changeArchive(db, row, { dueAt: now() + AGAIN_MS });
    }
  }
}

async function goOn(deps: Deps, row: ArchiveRow): Promise<void> {
  const { clinic, db, media, now } = deps;
  let at = row.progress === '' ? await begin(deps) : (JSON.parse(row.progress) as Progress);
  for (let n = 0; n < PARTS && !at.isWhole; n++) {
    const [part, then] = await nextPart(deps, row.kind, at);
    if (part.bytes.length > 0)
      await putPart(media, { clinic, id: row.id, part: at.parts.length }, part.bytes, part.lines);
    at = then;
    await changeArchive(db, row, { progress: JSON.stringify(at) });
  }
  if (!at.isWhole) return changeArchive(db, row, { dueAt: now() + NEXT_MS });
  const acts = (await newestEvent(db)) - at.mark;
  const tries = row.tries + 1;
  if (acts > 0 && tries < TRIES)
    return changeArchive(db, row, { progress: '', tries, dueAt: now() + CALMER_MS * tries });
  await end(deps, row, at, acts);
}

async function begin({ db, now }: Deps): Promise<Progress> {
  const [cuts, mark, { counts }, files] = await Promise.all([
    cutsOf(db, exportTables),
    newestEvent(db),
    countExport(db),
    countNamed(db),
  ]);
  const total = Object.values(counts).reduce((sum, n) => sum + n, files);
  return { ...structuredClone(nothingYet), beganAt: now(), mark, cuts, total };
}

/** Writes the manifest, the directory and the signature over both. */
async function end(deps: Deps, row: ArchiveRow, at: Progress, acts: number): Promise<void> {
  const { clinic, db, media, now, settings } = deps;
  const { accountId, kind, id } = row;
  const { counts, files, pieces, parts } = at;
  const days = await sumLedgerDays(db, at.cuts.ledger ?? 0);
  const ledgerCents = Object.values(days).reduce((sum, cents) => sum + cents, 0);
  const manifest: ArchiveManifest = {
    format: 1,
    account: accountId,
    clinic,
    kind,
    schema: CLINIC_SCHEMA,
    beganAt: at.beganAt,
    at: now(),
    acts,
    ledgerCents,
    counts,
    files,
    pieces,
    parts,
    leftOut: leftOut(kind === 'clinic'),
  };
  const packed = await pack('manifest.json', `${JSON.stringify(manifest, null, 1)}\n`);
  const entry = entryOf(packed);
  const lines: Uint8Array[] = [];
  for (const part of parts.keys()) lines.push(await getLines(media, clinic, id, part));
  const directory = joined([...lines, directoryLine(packed, at.bytes)]);
  const offset = at.bytes + entry.length;
  const tail = (signature: string) =>
    joined([
      entry,
      directory,
      archiveEnd(
        { entries: at.entries + 1, size: directory.length, offset },
        `${ARCHIVE_MARK}${at.bytes} ${signature}`,
      ),
    ]);
  // The comment's length is part of the signed data, so the signature's space is reserved first.
  const unsigned = tail('0'.repeat(64));
  const bytes = tail(archiveSignature(settings.CAPABILITY_KEYS, unsigned.slice(0, -64)));
  await putPart(media, { clinic, id, part: parts.length }, bytes, null);
  const whole = { ...at, bytes: at.bytes + bytes.length, parts: [...parts, { bytes: bytes.length, sha256: '' }] };
  await changeArchive(db, row, {
    dueAt: null,
    readyAt: now(),
    endsAt: now() + FETCH_MS,
    progress: JSON.stringify({ ...whole, pieces: [], cuts: {} }),
  });
  deps.log.info('archived', { clinic, kind, acts });
}

const NONE: ArchiveStatus = {
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
  if (!row || row.endsAt <= now) return NONE;
  const at = row.progress === '' ? null : (JSON.parse(row.progress) as Progress);
  const isReady = row.readyAt !== null;
  return {
    state: isReady ? 'ready' : 'making',
    done: at?.done ?? 0,
    total: at?.total ?? 0,
    parts: isReady ? (at?.parts.length ?? 0) : 0,
    bytes: isReady ? (at?.bytes ?? 0) : 0,
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
export async function askArchive(deps: Deps, accountId: number, kind: ArchiveKind): Promise<ArchiveStatus> {
  const { clinic, db, media, newId, now } = deps;
  const before = await findArchive(db, kind);
  const id = newId();
  const asked = { accountId, kind, id, requestedAt: now(), endsAt: now() + FETCH_MS };
  const event = auditEvent(deps, { accountId, action: 'archive.asked-for', subject: ['archive', id], after: { kind } });
  if ((await askForArchive(db, asked, event)) && before) await dropArchiveFiles(media, clinic, before.id);
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
