import type { PaymentMethod } from '#shared/contracts/payment';
import { findTimeZone } from '#worker/data/analytics/daily-totals';
import {
  claimCursor,
  createCursors,
  findNewestRestore,
  isCopying,
  listDueCursors,
  releaseCursor,
} from '#worker/data/reconciliation/cursors';
import type { ReconciliationCursor } from '#worker/data/schema/schema';
import { listUsableTerminals, type UsableTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import { matchDeposits } from '#worker/domain/batches/match-deposits';
import { restoredAtOf } from '#worker/domain/merchants/after-restore';
import { queryOneOf, testTerminals } from '#worker/domain/payments/query-any-terminal';
import { causeOf } from '#worker/log';
import { ingestTransactions, type Snapshot } from './ingest.ts';
import { cardListStart, findMissing, lookUpUnsettled } from './missing-or-unsettled.ts';
import { nextNight } from './next-night.ts';

const DAY = 86_400_000;
/**
 * Transactions of this age are read again on every run, since a card payment can be voided until its batch closes and a
 * debit can be returned for 60 days. Card payments in batches that stay open longer are covered by lookUpUnsettled().
 */
const REREAD_MS: Record<PaymentMethod, number> = { card: 3 * DAY, ach: 65 * DAY };
/** Pages per run; the next run reads the remaining ones. */
const MAX_PAGES = 20;
/** Pages compared with our books at a time. Each comparison takes two queries, for any number of pages. */
const PAGES_PER_COMPARISON = 2;
const LEASE_MS = 5 * 60_000;
const RETRY_MS = 15 * 60_000;
/** Cursors per run; the most overdue come first. */
const MAX_CURSORS = 10;

export type ReconciliationOutcome = 'finished' | 'to-be-continued' | 'busy' | 'unavailable';

/** For a clinic's schedule: reconciles the accounts that are due. Each is read once a night, even without webhooks. */
export async function reconcileAccounts(deps: Deps): Promise<void> {
  await createCursors(deps.db, deps.now());
  const { SEARCH_LAG_MS } = deps.settings;
  const newestRestore = await findNewestRestore(deps.db);
  // A lost charge is matched by its invoice, which may be newer than the restored records.
  if (newestRestore !== null && (await isCopying(deps.db))) return;
  const restoredAt = restoredAtOf(deps.settings, newestRestore);
  // Before this time, the gateway's lists may still lack a charge from before the restore.
  const catchUpTo = restoredAt > 0 && deps.now() >= restoredAt + SEARCH_LAG_MS ? restoredAt : null;
  for (const { accountId, method } of await listDueCursors(deps.db, deps.now(), MAX_CURSORS, catchUpTo)) {
    await reconcileAccount(deps, accountId, method).catch((cause: unknown) =>
      deps.log.info('account-reconciliation-failed', { accountId, method, cause: causeOf(cause) }),
    );
  }
}

/**
 * Reads a merchant's transactions since the last run and compares them with our books. Only one run works at a time.
 * It stores everything that it reads, so it may be interrupted at any point. A failed run is logged; only the claim and
 * the release throw.
 */
export async function reconcileAccount(
  deps: Deps,
  accountId: number,
  method: PaymentMethod,
): Promise<ReconciliationOutcome> {
  const cursor = await claimCursor(deps.db, { accountId, method }, { now: deps.now(), leaseMs: LEASE_MS });
  if (!cursor) return 'busy';
  try {
    const result = await readTransactions(deps, cursor);
    if (result === 'unavailable') return await giveUp(deps, cursor, 'the gateway does not answer');
    const isComplete = result.resumeFrom === null;
    if (isComplete) await findMissing(deps, accountId, method, { from: cursor.readFrom, to: result.readUntil });
    if (isComplete && method === 'card') {
      await testTerminals(deps, result.usable);
      await lookUpUnsettled(deps, accountId, listStart(cursor));
      await matchDeposits(deps, accountId).catch((cause: unknown) =>
        deps.log.info('deposits-not-matched', { accountId, cause: causeOf(cause) }),
      );
    }
    const now = deps.now();
    await releaseCursor(deps.db, cursor, {
      readUntil: result.readUntil,
      resumeFrom: result.resumeFrom,
      failingSince: null,
      ...(isComplete ? { endedAt: now } : {}),
      nextAt: isComplete ? nextNight(now, await findTimeZone(deps.db, accountId)) : now,
    });
    return isComplete ? 'finished' : 'to-be-continued';
  } catch (cause) {
    return giveUp(deps, cursor, causeOf(cause));
  }
}

async function giveUp(deps: Deps, cursor: ReconciliationCursor, cause: string): Promise<ReconciliationOutcome> {
  const now = deps.now();
  deps.log.info('reconciliation-halted', { accountId: cursor.accountId, method: cursor.method, cause });
  await releaseCursor(deps.db, cursor, { failingSince: cursor.failingSince ?? now, nextAt: now + RETRY_MS });
  return 'unavailable';
}

type ReadResult = Pick<ReconciliationCursor, 'readUntil' | 'resumeFrom'> & { usable: UsableTerminal[] };

/** The start of each night's list of transactions (UTC ms). */
const listStart = ({ method, readFrom, readUntil }: ReconciliationCursor): number =>
  Math.max(readFrom, readUntil - REREAD_MS[method]);

const putWorkingFirst = <Terminal>(usable: Terminal[], workingTerminal: unknown): Terminal[] => [
  ...usable.filter((terminal) => terminal === workingTerminal),
  ...usable.filter((terminal) => terminal !== workingTerminal),
];

async function readTransactions(deps: Deps, cursor: ReconciliationCursor): Promise<ReadResult | 'unavailable'> {
  const { accountId, method, readUntil } = cursor;
  const to = deps.now();
  const usualStart = listStart(cursor);
  const from = cursor.resumeFrom ?? (method === 'card' ? await cardListStart(deps, accountId, usualStart) : usualStart);
  let usable = await listUsableTerminals(deps.db, accountId);
  if (usable.length === 0) return { readUntil, resumeFrom: null, usable };
  let seenUntil = from;
  const pendingSnapshots: Snapshot[] = [];
  for (let page = 1; page <= MAX_PAGES; page++) {
    const seenAt = deps.now();
    const response = await queryOneOf(usable, (terminal) =>
      deps.gateway.listTransactions(terminal, method, { from, to }, page),
    );
    const pageResult = response === 'unavailable' ? response : response.answer;
    if (response !== 'unavailable') usable = putWorkingFirst(usable, response.terminal);
    const isOver = pageResult === 'unavailable' || pageResult.isLast;
    if (pageResult !== 'unavailable') pendingSnapshots.push({ txns: pageResult.transactions, seenAt });
    if (isOver || pendingSnapshots.length === PAGES_PER_COMPARISON || page === MAX_PAGES)
      await ingestPages(deps, cursor, pendingSnapshots.splice(0));
    if (pageResult === 'unavailable') return pageResult;
    if (pageResult.isLast)
      return { readUntil: Math.max(readUntil, to - deps.settings.SEARCH_LAG_MS), resumeFrom: null, usable };
    seenUntil = Math.max(seenUntil, ...pageResult.transactions.map(({ createdAt }) => createdAt ?? 0));
  }
  // If one minute has more transactions than a run reads, the rest of that minute is left to the next night.
  return { readUntil, resumeFrom: seenUntil > from ? seenUntil : from + 60_000, usable };
}

/**
 * Compares some pages with our books together. If that fails, each page is retried alone, so that one failure does not
 * lose the others.
 */
async function ingestPages(deps: Deps, cursor: ReconciliationCursor, pages: Snapshot[]): Promise<void> {
  const failures: unknown[] = [];
  const ingest = async (...snapshots: Snapshot[]) => {
    const { unjudged } = await ingestTransactions(deps, cursor.accountId, cursor.method, ...snapshots);
    if (unjudged > 0) throw new Error(`our books changed at every try to judge ${unjudged} transactions`);
  };
  await ingest(...pages).catch(async (cause: unknown) => {
    if (pages.length === 1) failures.push(cause);
    else for (const page of pages) await ingest(page).catch((pageCause: unknown) => failures.push(pageCause));
  });
  if (failures.length > 0) throw failures[0];
}
