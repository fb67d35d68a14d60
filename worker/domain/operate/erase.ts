import type { ClinicErased } from '#shared/contracts/operators/operate';
import { localDay, localMoment } from '#shared/text/local-day';
import { CLINIC_SCHEMA } from '#worker/clinic/migrations';
import { NoSuchClinic } from '#worker/clinic/no-such-clinic';
import type { Db } from '#worker/data/db';
import { folderOfClinic } from '#worker/data/leaving/archives';
import { findDirectoryRow, removeAccountFromClinic } from '#worker/data/operate/directory';
import {
  blockNewClaims,
  deletePrefix,
  findEvidence,
  liftErasureBlock,
  manifestOf,
  readBlockers,
  readCreationTime,
  recordErasedClinic,
} from '#worker/data/operate/erase';
import {
  columnsOmittedFromEvidence,
  countExport,
  exportTables,
  type RowKey,
  readPiece,
} from '#worker/data/operate/export';
import { copyKeyOf } from '#worker/data/operate/file-copies';
import { fileLifetimes } from '#worker/data/retention/file-lifetimes';
import { INSTALLATION } from '#worker/data/schema/audit';
import { listUsableTerminals } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { clinicOfAccount } from '#worker/domain/merchants/clinic-of-account';
import { listAllBatchesNow } from '#worker/domain/terminals/batches';
import type { GatewayBatch } from '#worker/vendors/gateway-port';

/** Rows per evidence file. */
const ROWS_PER_FILE = 2000;
/** The time for which the clinic is closed (ms), and the part of it that is reserved for the erasure itself. */
const CLOSED_MS = 15 * 60_000;
const RESERVED_MS = 60_000;

export type EraseOutcome =
  | { kind: 'erased'; erased: ClinicErased }
  | { kind: 'not-found' }
  /** The account's clinic has another name. */
  | { kind: 'other-name'; name: string }
  /** The clinic was not erased. Each reason is one sentence. */
  | { kind: 'stands'; reasons: string[] };

/**
 * Erases a clinic: its database, its signature images and its directory data. Refuses while money may still move. The
 * evidence of money and actions (without payers) and the clinic's number are kept. Its nightly dumps stay until the
 * bucket's lifecycle rules delete them. An interrupted run can be repeated.
 */
export async function eraseClinic(deps: Deps, account: number, name: string): Promise<EraseOutcome> {
  const clinicDeps = await clinicOfAccount(deps, account);
  const row = clinicDeps && (await findDirectoryRow(deps.installation, clinicDeps.clinic));
  if (!clinicDeps || !row) return { kind: 'not-found' };
  if (row.name !== name) return { kind: 'other-name', name: row.name };
  const { clinic, media, installation, now } = clinicDeps;
  const evidencePrefix = `kept/${clinic}/`;
  const closedUntil = now() + CLOSED_MS;
  const rows = await runWhileClosed(clinicDeps.db, closedUntil, async () => {
    const obstacles = [
      ...(await findEarlierEvidence(clinicDeps, evidencePrefix)),
      ...(await findObstacles(clinicDeps, account)),
    ];
    if (obstacles.length > 0) return obstacles;
    const rowsKept = await writeEvidence(clinicDeps, account, evidencePrefix);
    if (now() < closedUntil - RESERVED_MS) return rowsKept;
    // After that time a new payment may have started.
    await deletePrefix(media, evidencePrefix);
    return ['it took too long; nothing is erased, so try again'];
  });
  if (Array.isArray(rows)) return { kind: 'stands', reasons: rows };
  await recordErasedClinic(media, account, clinic);
  // Erase the object first, while the clinic is closed, so that a repeated run still finds the images.
  await deps.clinics.erase(clinic);
  const pictures = await deletePrefix(media, `signatures/${account}/`);
  await deletePrefix(deps.backups, copyKeyOf(`signatures/${account}/`));
  await deletePrefix(media, folderOfClinic(clinic));
  const event = auditEvent(deps, {
    accountId: INSTALLATION,
    action: 'clinic.erased',
    subject: ['clinic', String(clinic)],
    after: { rows, pictures },
  });
  await removeAccountFromClinic(installation, clinic, now(), event);
  const keptUntil = now() + fileLifetimes['kept/'].ms;
  const dumpsUntil = now() + fileLifetimes['monthly/'].ms;
  return { kind: 'erased', erased: { clinic, kept: evidencePrefix, keptUntil, dumpsUntil, rows, pictures } };
}

/**
 * Runs `work` while the clinic is closed, and reopens it unless `work` succeeds. Returns 0 if the object is already
 * empty.
 */
async function runWhileClosed(
  db: Db,
  closedUntil: number,
  work: () => Promise<string[] | number>,
): Promise<string[] | number> {
  let result: string[] | number | undefined;
  try {
    await blockNewClaims(db, closedUntil);
  } catch (cause) {
    if (cause instanceof NoSuchClinic) return 0;
    throw cause;
  }
  try {
    result = await work();
    return result;
  } finally {
    if (typeof result !== 'number') await liftErasureBlock(db);
  }
}

/**
 * An erasure that was interrupted after the object was erased has left its evidence and the account's directory row. A
 * login since then has created a new database under the same number; its few rows must not overwrite seven years of
 * records.
 */
async function findEarlierEvidence({ db, media }: Deps, evidencePrefix: string): Promise<string[]> {
  const earlierErasure = await findEvidence(media, evidencePrefix);
  if (!earlierErasure || earlierErasure.foundedAt === (await readCreationTime(db))) return [];
  const day = localDay(earlierErasure.at, 'UTC');
  return [`${evidencePrefix} holds the evidence of an erasure of ${day}, of other records: move it, then erase again`];
}

async function findObstacles(deps: Deps, account: number): Promise<string[]> {
  const { payments, reversals, debits, closes, approvals, looks, looksUntil } = await readBlockers(deps.db, deps.now());
  const openBatchObstacle = await findOpenBatches(deps, account);
  return [
    payments > 0 && `${payments} payments are sent, unknown, pending or before a person`,
    reversals > 0 && `${reversals} refunds or voids are under way`,
    debits > 0 && `${debits} bank debits of the last 60 days can still come back`,
    closes > 0 && `${closes} closes of batches are under way`,
    approvals > 0 && `${approvals} refunds wait for a second person, or to be made after one approved them`,
    looks > 0 && looksUntil !== null && describeWatched(looks, looksUntil),
    openBatchObstacle,
  ].filter((obstacle) => obstacle !== false && obstacle !== null);
}

const describeWatched = (looks: number, watchedUntil: number) =>
  `${looks} payments or refunds that count as not made are looked up once more by ${localMoment(watchedUntil, 'UTC')} UTC`;

const UNKNOWN_BATCHES = 'the card provider does not say whether a batch is open';

/** A payment in an open batch is not settled and may still be voided. */
async function findOpenBatches(deps: Deps, account: number): Promise<string | null> {
  // Each terminal's key shows all batches of the merchant, so a refused terminal hides none if another one answers.
  const openBatchIds = new Set<string>();
  const terminals = await listUsableTerminals(deps.db, account);
  let answers = 0;
  for (const terminal of terminals) {
    const batches = await listAllBatchesNow(deps, terminal);
    if (batches === 'unavailable' && terminal.refusedAt !== null && answers > 0) continue;
    if (batches === 'unavailable') return UNKNOWN_BATCHES;
    answers += 1;
    for (const { id } of batches.filter(mayMoveMoney)) openBatchIds.add(id);
  }
  return openBatchIds.size > 0 ? `${openBatchIds.size} batches are open` : null;
}

/** An open batch without payments is only waiting for the next payment. */
const mayMoveMoney = ({ status, salesCount, refundCount }: GatewayBatch): boolean =>
  (status === 'open' || status === 'pending') && (salesCount !== 0 || refundCount !== 0);

/**
 * Writes the evidence of money and actions to the bucket, in pieces. Returns the number of rows. A second run over the
 * same database overwrites it.
 */
async function writeEvidence(deps: Deps, account: number, prefix: string): Promise<number> {
  const { db, media, clinic, now } = deps;
  const files: { key: string; table: string; rows: number; sha256: string }[] = [];
  for (const table of exportTables) {
    if (!table.evidence) continue;
    let after: RowKey | null = null;
    do {
      const piece: Awaited<ReturnType<typeof readPiece>> = await readPiece(db, table, {
        after,
        limit: ROWS_PER_FILE,
        omitted: columnsOmittedFromEvidence(table),
      });
      const text = piece.rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      const key = `${prefix}${table.name}-${files.length}.ndjson`;
      await media.put(key, text, { httpMetadata: { contentType: 'application/x-ndjson' } });
      files.push({ key, table: table.name, rows: piece.rows.length, sha256: await deps.sha256(text) });
      after = piece.next;
    } while (after);
  }
  const { ledgerCents } = await countExport(db);
  const manifest = {
    clinic,
    account,
    schema: CLINIC_SCHEMA,
    at: now(),
    ledgerCents,
    files,
    foundedAt: await readCreationTime(db),
  };
  await media.put(manifestOf(prefix), JSON.stringify(manifest, null, 2));
  return files.reduce((sum, { rows }) => sum + rows, 0);
}
