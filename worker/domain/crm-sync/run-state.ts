import { type SyncedRecords, savePiece, splitIntoPieces, syncWrites } from '#worker/data/crm-sync/records';
import { extendLease, type Lease, type SyncCursors, saveStep } from '#worker/data/crm-sync/state';
import { type CrmTokenRow, findTokens } from '#worker/data/crm-sync/tokens';
import type { SyncCursor, SyncRow } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import {
  type ChangeCursor,
  CrmError,
  type CrmKind,
  type CrmLimit,
  type CrmResponse,
} from '#worker/vendors/hubspot/port';
import { withCrm } from './access.ts';

/**
 * One run of an account's CRM sync, by the holder of its lease. Requests are sequential and paced to a share of the
 * account's limit, because payers' pages read from the same CRM.
 */
export type SyncRun = Lease & {
  deps: Deps;
  beganAt: number;
  endsAt: number;
  /** Requests left to this account, or to all accounts that share them. */
  calls: { remaining: number };
  row: SyncRow;
  /** True if a full sync was completed before this run began. */
  wasComplete: boolean;
  cursors: SyncCursors;
  /** Kinds whose changes this run has not fully read; `changes` holds the cursor of each. */
  unreadKinds: Set<CrmKind>;
  changes: Partial<Record<CrmKind, ChangeCursor>>;
  tokens: CrmTokenRow | null;
  /** True if the CRM has responded in this run. */
  hasAnswer: boolean;
  /** Earliest time of the next request (UTC ms). */
  notBefore: number;
  /** Number of texts that were truncated because they exceed our limit. */
  truncatedTexts: number;
};

export const LEASE_MS = 45_000;
/** Enough for a pause, a request that times out and a write. */
const MIN_LEASE_LEFT_MS = 30_000;

/** Share of the account's limit that the sync may use. Once used up, the sync stops until the window is over. */
const SYNC_SHARE = 0.6;
/** While more than this share of the limit is left, there is no pause, so small accounts never wait. */
const UNPACED_SHARE = 0.85;
/** Pause (ms) after a response without a limit. The CRM allows 5 searches a second, of which we use a share of 0.6. */
const DEFAULT_PAUSE_MS = Math.ceil(1000 / (5 * SYNC_SHARE));
const MAX_PAUSE_MS = 12_000;
const MAX_TRIES = 4;

/** Changes this recent (ms) are requested again, because the CRM's index lags and its clock differs from ours. */
export const OVERLAP_MS = 3 * 60_000;

export class LeaseLostError extends Error {}

/** Pause before the next request (ms), from the limit in a response. */
export function pauseAfter(limit: CrmLimit | null): number {
  if (!limit) return DEFAULT_PAUSE_MS;
  const remainingShare = limit.remaining / limit.max;
  if (remainingShare < 1 - SYNC_SHARE) return limit.windowMs;
  return remainingShare > UNPACED_SHARE ? 0 : Math.ceil(limit.windowMs / (limit.max * SYNC_SHARE));
}

export const hasTime = ({ deps, calls, notBefore, endsAt }: SyncRun) =>
  calls.remaining > 0 && Math.max(deps.now(), notBefore) < endsAt;

/**
 * Sends one request to the CRM. A temporary error is retried if the CRM has responded before in this run; otherwise
 * there is only one try. Throws CrmError, or LeaseLostError.
 */
export async function sendRequest<T>(
  run: SyncRun,
  request: (token: string, timeZone: string) => Promise<CrmResponse<T>>,
): Promise<CrmResponse<T>> {
  const { deps } = run;
  for (let tries = 1; ; tries++) {
    await holdLease(run);
    const pauseMs = run.notBefore - deps.now();
    if (pauseMs > 0) await deps.pause(pauseMs);
    try {
      const answer = await sendWithTokens(run, request);
      run.hasAnswer = true;
      run.truncatedTexts += answer.cut ?? 0;
      run.notBefore = deps.now() + pauseAfter(answer.limit);
      return answer;
    } catch (cause) {
      const isTemporary = cause instanceof CrmError && cause.reason === 'unavailable';
      if (!isTemporary || !run.hasAnswer || tries === MAX_TRIES) throw cause;
      const waitMs = Math.max(cause.retryAfterMs ?? 0, 500 * 2 ** tries);
      if (waitMs > MAX_PAUSE_MS) throw cause;
      run.notBefore = deps.now() + waitMs;
    }
  }
}

const MIN_TOKEN_LIFETIME_MS = 120_000;

/** Rereads the tokens if another call may have renewed them, as a repeated request indicates. */
async function sendWithTokens<T>(run: SyncRun, request: (token: string, timeZone: string) => Promise<CrmResponse<T>>) {
  const { deps } = run;
  if (!run.tokens || run.tokens.expiresAt - deps.now() < MIN_TOKEN_LIFETIME_MS) {
    run.tokens = (await findTokens(deps.db, run.accountId)) ?? null;
    if (!run.tokens) throw new CrmError('revoked', 'no connection to the CRM');
  }
  let calls = 0;
  const answer = await withCrm(deps, run.tokens, (token, timeZone) => {
    calls++;
    run.calls.remaining--;
    return request(token, timeZone);
  });
  if (calls > 1) run.tokens = null;
  return answer;
}

async function holdLease(run: SyncRun): Promise<void> {
  const now = run.deps.now();
  if (run.row.leaseUntil - now > MIN_LEASE_LEFT_MS) return;
  run.row.leaseUntil = now + LEASE_MS;
  if (!(await extendLease(run.deps.db, run, run.row.leaseUntil))) throw new LeaseLostError();
}

export type Step = { synced?: SyncedRecords; cursor?: SyncCursor; firstPageAt?: number };

/**
 * Saves the rows of a step in pieces, between which other work can run. The last piece is saved in one transaction with
 * the cursor and the account's progress. Throws LeaseLostError.
 */
export async function commitStep(run: SyncRun, { synced, cursor, firstPageAt }: Step): Promise<void> {
  const { deps, cursors } = run;
  if (cursor) cursors[cursor.kind] = cursor;
  run.row = { ...run.row, ...progressOf(run), ...(firstPageAt === undefined ? {} : { firstPageAt }) };
  const { leaseUntil, asOf, failingSince, completeAt, copied: done, expected } = run.row;
  const passes = {
    companies: cursors.companies.pass,
    contacts: cursors.contacts.pass,
    invoices: cursors.invoices.pass,
  };
  const pieces = synced ? splitIntoPieces(synced) : [];
  for (const piece of pieces.slice(0, -1)) {
    await savePiece(deps.db, run.accountId, piece, passes);
    // In the Durable Object, database calls alone would never let other work run.
    await deps.pause(0);
  }
  const last = pieces.at(-1);
  const isHolder = await saveStep(
    deps.db,
    run,
    { leaseUntil, asOf, failingSince, firstPageAt: run.row.firstPageAt, completeAt, copied: done, expected },
    cursor ? [cursor] : [],
    last ? syncWrites(deps.db, run.accountId, last, passes) : [],
  );
  if (!isHolder) throw new LeaseLostError();
}

function progressOf({ deps, cursors, row, hasAnswer }: SyncRun): Partial<SyncRow> {
  const now = deps.now();
  const allCursors = Object.values(cursors);
  const isComplete = allCursors.every(({ endedAt }) => endedAt !== null);
  const progress = {
    leaseUntil: now + LEASE_MS,
    // A CRM that responds is not failing.
    failingSince: hasAnswer ? null : row.failingSince,
    completeAt: row.completeAt ?? (isComplete ? now : null),
    asOf: isComplete ? Math.min(...allCursors.map(({ changedSince }) => changedSince)) + OVERLAP_MS : now,
  };
  // Progress is reported until the first full sync is complete.
  if (row.completeAt !== null) return progress;
  const sum = (count: (cursor: SyncCursor) => number) => allCursors.reduce((total, cursor) => total + count(cursor), 0);
  return { ...progress, copied: sum((cursor) => cursor.copied), expected: sum((cursor) => cursor.expected) };
}
