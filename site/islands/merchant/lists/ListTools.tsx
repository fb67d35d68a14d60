import { type ReactNode, useId, useState } from 'react';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import type { List } from './use-list.ts';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/feedback/disclosure.css';

type Props = { searchOf: string; list: List<unknown>; children?: ReactNode };

/** Search and filters of a list; on a narrow screen, a button with their count opens the filters. */
export function ListTools({ searchOf, list, children }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const { q, filters } = list.query;
  const count = Object.values(filters).filter(Boolean).length;
  return (
    <>
      <SearchBox of={searchOf} value={q} onSearch={(words) => list.show({ q: words, page: 1 })} />
      {children && (
        <>
          <button
            type="button"
            className={`button button-secondary filters-button${count > 0 ? ' disclosure-set' : ''}`}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setOpen(!isOpen)}
          >
            Filter{count > 0 && ` ${count}`}
            <Icon name="chevronDown" size="sm" />
          </button>
          <div id={id} className={isOpen ? 'filters filters-open' : 'filters'}>
            {children}
            {(count > 0 || q) && (
              <button
                type="button"
                className="button button-ghost"
                onClick={() => list.show({ q: '', filters: {}, page: 1 })}
              >
                Clear
              </button>
            )}
          </div>
        </>
      )}
    </>
  );
}
