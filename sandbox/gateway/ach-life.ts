import type { World } from '../world.ts';
import { findTransactions, type Transaction } from './transactions.ts';

export type AchStatus = 'Pending' | 'Settling' | 'Settled' | 'Returned' | 'Declined';
export type AchMove = { row: Transaction; from: AchStatus; to: AchStatus; atMs: number; returnCode: string | null };
type Moved = { status: 'Settling' | 'Settled' | 'Returned'; at_ms: number; return_code: string | null };

const HOUR = 3_600_000;
const SETTLED_AFTER_MS = 48 * HOUR;

/** The debit's status, since when, and its return code. */
export function standingOf(
  world: World,
  row: Transaction,
): { status: AchStatus; atMs: number; returnCode: string | null } {
  if (row.result === 'DECLINED') return { status: 'Declined', atMs: row.created_ms, returnCode: null };
  const moved = world.store.get<Moved>('SELECT status, at_ms, return_code FROM ach_moves WHERE seq = ?', row.seq);
  if (!moved) return { status: 'Pending', atMs: row.created_ms, returnCode: null };
  return { status: moved.status, atMs: moved.at_ms, returnCode: moved.return_code };
}

export function moveAch(
  world: World,
  row: Transaction,
  to: Moved['status'],
  atMs: number,
  returnCode: string | null = null,
): AchMove {
  const from = standingOf(world, row).status;
  world.store.run(
    'INSERT OR REPLACE INTO ach_moves (seq, status, at_ms, return_code) VALUES (?, ?, ?, ?)',
    row.seq,
    to,
    atMs,
    returnCode,
  );
  return { row, from, to, atMs, returnCode };
}

const dueFrom = (world: World, standing: string, afterMs: number) =>
  findTransactions(
    world,
    `kind = 'ach' AND result = 'APPROVED' AND created_ms <= ?
       AND (SELECT status FROM ach_moves WHERE ach_moves.seq = transactions.seq) IS ${standing} ORDER BY seq`,
    world.now() - afterMs,
  );

/**
 * Our own pace on the sandbox's clock: pending for an hour, settling for two days, then settled or returned. Returns
 * the moves.
 */
export function passTime(world: World): AchMove[] {
  return world.store.transaction(() => {
    const settling = dueFrom(world, 'NULL', HOUR).map((row) => moveAch(world, row, 'Settling', row.created_ms + HOUR));
    const ended = dueFrom(world, "'Settling'", SETTLED_AFTER_MS).map((row) =>
      moveAch(
        world,
        row,
        row.return_code === null ? 'Settled' : 'Returned',
        row.created_ms + SETTLED_AFTER_MS,
        row.return_code,
      ),
    );
    return [...settling, ...ended];
  });
}
