import { useId } from 'react';
import { Icon } from './Icon.tsx';
import type { Column } from './list-view.ts';
import { is } from './table-roles.ts';
import '../../styles/parts/field.css';

type HeadProps<Item> = {
  column: Column<Item>;
  direction: 'asc' | 'desc' | false;
  onPress: ((event: unknown) => void) | undefined;
};

const said = { asc: 'ascending', desc: 'descending' } as const;

export function SortHead<Item>({ column, direction, onPress }: HeadProps<Item>) {
  const { header, sort, align } = column;
  const className = align && 'table-end';
  if (!sort) {
    return (
      <th {...is.columnHead} className={className}>
        {header}
      </th>
    );
  }
  return (
    <th {...is.columnHead} className={className} aria-sort={direction ? said[direction] : 'none'}>
      <button type="button" className={direction ? 'sort sort-on' : 'sort'} onClick={onPress}>
        {header}
        <Icon name={(direction || sort) === 'asc' ? 'arrowUp' : 'arrowDown'} size="sm" />
      </button>
    </th>
  );
}

type SelectProps<Item> = { columns: Column<Item>[]; sort: string; onSort(sort: string): void };

/** Takes the place of the heads where the rows are cards. */
export function SortSelect<Item>({ columns, sort, onSort }: SelectProps<Item>) {
  const id = useId();
  return (
    <div className="sort-select">
      <label className="label" htmlFor={id}>
        Sort
      </label>
      <select id={id} className="select" value={sort} onChange={({ target }) => onSort(target.value)}>
        {columns
          .filter((column) => column.sort)
          .map(({ id: field, header }) => [
            <option key={field} value={field}>
              {header}, ascending
            </option>,
            <option key={`-${field}`} value={`-${field}`}>
              {header}, descending
            </option>,
          ])}
      </select>
    </div>
  );
}
