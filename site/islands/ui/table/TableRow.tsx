import { type ReactNode, useState } from 'react';
import { Icon } from '../Icon.tsx';
import { CutText } from './CutText.tsx';
import type { Column } from './list-view.ts';
import { is } from './table-roles.ts';
import '#site/styles/parts/table/skeleton.css';

const classOf = <Item,>({ place, align }: Column<Item>) => `at-${place ?? 'more'}${align ? ' table-end' : ''}`;

type CellProps<Item> = { column: Column<Item>; isHead: boolean; children: ReactNode };

function Cell<Item>({ column, isHead, children }: CellProps<Item>) {
  const { label = column.header } = column;
  const inside = (
    <>
      {label && <span className="cell-label">{label} </span>}
      {children}
    </>
  );
  return isHead ? (
    <th {...is.rowHead} className={classOf(column)}>
      {inside}
    </th>
  ) : (
    <td {...is.cell} className={classOf(column)}>
      {inside}
    </td>
  );
}

/** A card shows the main fields of a row; the rest is one press away. */
export function Row<Item>({ columns, item }: { columns: Column<Item>[]; item: Item }) {
  const [isOpen, setOpen] = useState(false);
  const head = Math.max(
    0,
    columns.findIndex(({ isHead }) => isHead),
  );
  const hasMore = columns.some(({ place }) => !place);
  return (
    <tr {...is.row} className={isOpen ? 'row-open' : undefined}>
      {columns.map((column, index) => {
        const value = column.value(item);
        return (
          <Cell key={column.id} column={column} isHead={index === head}>
            {typeof value === 'string' ? <CutText text={value} /> : value}
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

const WIDTHS = ['85%', '60%', '75%'];

export function SkeletonRow<Item>({ columns, at }: { columns: Column<Item>[]; at: number }) {
  return (
    <tr className="row-skeleton">
      {columns.map((column, index) => (
        <td key={column.id} className={classOf(column)}>
          <span className="skeleton" style={{ width: WIDTHS[(at + index) % WIDTHS.length] }} />
          {column.hasSub && <span className="skeleton cell-sub" style={{ width: '60%' }} />}
        </td>
      ))}
    </tr>
  );
}
