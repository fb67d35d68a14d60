import type { ListView } from './list-view.ts';

type Props = { noun: string; list: ListView<unknown>; emptyText: string };

/** Says that the list is empty, or that nothing matches search and filters. */
export function NoRows({ noun, list, emptyText }: Props) {
  const { q, filters } = list.query;
  const isFiltered = Object.values(filters).some(Boolean);
  if (!q && !isFiltered) return <p>{emptyText}</p>;
  const clear = (change: { q?: string; filters?: Record<string, string> }, name: string) => (
    <button type="button" className="text-button" onClick={() => list.show({ ...change, page: 1 })}>
      {name}
    </button>
  );
  return (
    <>
      <p>
        No {noun} matches {q ? `"${q}"` : 'these filters'}
        {q && isFiltered && ' and these filters'}.
      </p>
      <p>{q ? clear({ q: '' }, 'Clear search') : clear({ filters: {} }, 'Clear filters')}</p>
    </>
  );
}
