import { type ReactNode, useId, useState } from 'react';
import { Icon } from '../Icon.tsx';
import { TruncatedText } from './CutText.tsx';
import type { Column } from './list-view.ts';
import '#site/styles/parts/table/skeleton.css';
import { Select } from '../form/Select.tsx';
import '#site/styles/parts/form/field.css';

/** Table elements lose their implicit roles when CSS lays them out as cards, so each one sets its role. */
export const tableRoles = {
  table: { role: 'table' },
  group: { role: 'rowgroup' },
  row: { role: 'row' },
  columnHead: { role: 'columnheader', scope: 'col' },
  rowHead: { role: 'rowheader', scope: 'row' },
  cell: { role: 'cell' },
} as const;

const classOf = <Item,>({ place, align }: Column<Item>) => `at-${place ?? 'more'}${align ? ' table-end' : ''}`;

type CellProps<Item> = { column: Column<Item>; isHead: boolean; children: ReactNode };

function Cell<Item>({ column, isHead, children }: CellProps<Item>) {
  const { label = column.header } = column;
  const content = (
    <>
      {label && <span className="cell-label">{label} </span>}
      {children}
    </>
  );
  return isHead ? (
    <th {...tableRoles.rowHead} className={classOf(column)}>
      {content}
    </th>
  ) : (
    <td {...tableRoles.cell} className={classOf(column)}>
      {content}
    </td>
  );
}

/** A row of a table. If it is shown as a card, a button reveals the fields that have no place on the card. */
export function Row<Item>({ columns, item }: { columns: Column<Item>[]; item: Item }) {
  const [isOpen, setOpen] = useState(false);
  const head = Math.max(
    0,
    columns.findIndex(({ isHead }) => isHead),
  );
  const hasMore = columns.some(({ place }) => !place);
  return (
    <tr {...tableRoles.row} className={isOpen ? 'row-open' : undefined}>
      {columns.map((column, index) => {
        const value = column.value(item);
        return (
          <Cell key={column.id} column={column} isHead={index === head}>
            {typeof value === 'string' ? <TruncatedText text={value} /> : value}
            {hasMore && index === columns.length - 1 && (
              <button
                type="button"
                className="text-button row-more"
                aria-expanded={isOpen}
                onClick={() => setOpen(!isOpen)}
              >
                {isOpen ? 'Fewer fields' : 'More fields'}
                <Icon name="chevronDown" size="sm" />
              </button>
            )}
          </Cell>
        );
      })}
    </tr>
  );
}

const SKELETON_WIDTHS = ['85%', '60%', '75%'];

export function SkeletonRow<Item>({ columns, rowIndex }: { columns: Column<Item>[]; rowIndex: number }) {
  return (
    <tr className="row-skeleton">
      {columns.map((column, index) => (
        <td key={column.id} className={classOf(column)}>
          <span className="skeleton" style={{ width: SKELETON_WIDTHS[(rowIndex + index) % SKELETON_WIDTHS.length] }} />
          {column.secondLine && (
            <span
              className={`skeleton ${column.secondLine === 'always' ? 'cell-second' : 'cell-sub'}`}
              style={{ width: '60%' }}
            />
          )}
        </td>
      ))}
    </tr>
  );
}

type HeadProps<Item> = { column: Column<Item>; sort: string; onSort(sort: string): void };

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

/** A column header that sorts by its column, or reverses the current order. */
export function SortHeader<Item>({ column, sort, onSort }: HeadProps<Item>) {
  const { id, header, headerPrefix: head, align } = column;
  const className = align && 'table-end';
  if (!column.sort) {
    return (
      <th {...tableRoles.columnHead} className={className}>
        {head}
        {header}
      </th>
    );
  }
  const direction = sort === id ? 'asc' : sort === `-${id}` ? 'desc' : null;
  const next = direction ? (direction === 'asc' ? 'desc' : 'asc') : column.sort;
  return (
    <th {...tableRoles.columnHead} className={className} aria-sort={direction ? ariaSort[direction] : 'none'}>
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

/** Replaces the column headers when the rows are cards. */
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
