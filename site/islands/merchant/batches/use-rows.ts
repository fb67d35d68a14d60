import { useState } from 'react';
import type { BatchTransaction } from '#shared/contracts/batches';
import type { ListView } from '#site/islands/ui/table/list-view.ts';
import { type RankedColumn, useSorted } from '#site/islands/ui/table/use-sorted.ts';

const NEWEST_FIRST = { id: 'date', desc: true };

/** Sorts and pages a batch's rows in the browser, for the table that also shows long lists. */
export function useRows(
  columns: RankedColumn<BatchTransaction>[],
  data: BatchTransaction[],
  phase: ListView<BatchTransaction>['phase'],
): ListView<BatchTransaction> {
  const [wanted, setWanted] = useState({ page: 1, size: 10 });
  const { rows, sort, onSort } = useSorted(columns, data, NEWEST_FIRST);
  const { size } = wanted;
  const pages = Math.max(1, Math.ceil(data.length / size));
  const page = Math.min(wanted.page, pages);
  const first = (page - 1) * size;
  return {
    query: { page, size, sort, q: '', filters: {} },
    rows: rows.slice(first, first + size),
    first: first + 1,
    phase,
    total: data.length,
    pages,
    show: ({ sort: asked, ...change }) => {
      if (asked !== undefined) onSort(asked);
      setWanted({ ...wanted, ...change });
    },
  };
}
