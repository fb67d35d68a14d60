import { useId } from 'react';
import { Select } from '../form/Select.tsx';
import { Icon } from '../Icon.tsx';
import type { Column } from './list-view.ts';
import { is } from './table-roles.ts';
import '#site/styles/parts/form/field.css';

type HeadProps<Item> = { column: Column<Item>; sort: string; onSort(sort: string): void };

const said = { asc: 'ascending', desc: 'descending' } as const;

/** A column head that sorts by its column, or reverses the order when it already does. */
export function SortHead<Item>({ column, sort, onSort }: HeadProps<Item>) {
  const { id, header, head, align } = column;
  const className = align && 'table-end';
  if (!column.sort) {
    return (
      <th {...is.columnHead} className={className}>
        {head}
        {header}
      </th>
    );
  }
  const direction = sort === id ? 'asc' : sort === `-${id}` ? 'desc' : null;
  const next = direction ? (direction === 'asc' ? 'desc' : 'asc') : column.sort;
  return (
    <th {...is.columnHead} className={className} aria-sort={direction ? said[direction] : 'none'}>
      <button
        type="button"
        className={direction ? 'sort sort-on' : 'sort'}
        onClick={() => onSort(next === 'asc' ? id : `-${id}`)}
      >
        {header}
        <Icon name={(direction ?? next) === 'asc' ? 'arrowUp' : 'arrowDown'} size="sm" />
      </button>
    </th>
  );
}

type SelectProps<Item> = { columns: Column<Item>[]; sort: string; onSort(sort: string): void };

/** Replaces the column heads where the rows are cards. */
export function SortSelect<Item>({ columns, sort, onSort }: SelectProps<Item>) {
  const id = useId();
  return (
    <div className="sort-select">
      <label className="label" htmlFor={id}>
        Sort
      </label>
      <Select id={id} value={sort} onChange={({ target }) => onSort(target.value)}>
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
      </Select>
    </div>
  );
}
