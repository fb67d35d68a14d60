import type { ListRequest } from '#shared/contracts/list-request';
import { CSV_START, csvLine } from '#shared/csv';
import { cursorAfter, type ListRow } from '#worker/data/lists/cursors';
import type { ListDescription } from '#worker/data/lists/description';
import { readListAfter, readListPage } from '#worker/data/lists/read-page';
import type { SessionClaim } from '#worker/data/merchants/session-claim';
import type { Deps } from '#worker/deps';
import { recordExport } from '#worker/domain/audit/event';
import { factsOf, type ListFacts } from './facts.ts';

/** Rows that are read and written at a time. */
const ROWS = 1000;

export type Column = { title: string; cell(row: ListRow): string };

export type Exported = { facts: ListFacts; pieces: AsyncGenerator<string> };

/**
 * Export all rows that the filters leave as CSV, piece by piece, so that none waits for the full list. Null: the
 * session of this claim has ended; when it ends on the way, the export ends with an error.
 */
export async function exportList(
  deps: Deps,
  list: ListDescription,
  claim: SessionClaim,
  request: ListRequest,
  columns: Column[],
): Promise<Exported | null> {
  const { db, now } = deps;
  const view = { ...request, page: 1, size: ROWS, cursor: null };
  const start = await readListPage(db, list, claim, now(), view);
  if (!start) return null;
  await recordExport(deps, claim.accountId, list.name, start.total);
  const lines = (rows: ListRow[]) => rows.map((row) => csvLine(columns.map(({ cell }) => cell(row)))).join('');

  async function* pieces(rows: ListRow[], total: number): AsyncGenerator<string> {
    yield CSV_START + csvLine(columns.map(({ title }) => title)) + lines(rows);
    for (let last = rows.at(-1), isMore = rows.length === ROWS; last && isMore; ) {
      const piece = await readListAfter(db, list, claim, now(), view, cursorAfter(last, 1, total));
      if (!piece) throw new Error('the session ended during an export');
      yield lines(piece.rows);
      last = piece.rows.at(-1);
      isMore = piece.rows.length === ROWS;
    }
  }
  return { facts: factsOf(start, view, now()).facts, pieces: pieces(start.rows, start.total) };
}
