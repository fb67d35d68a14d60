import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { CustomerItem } from '#shared/contracts/lists/lists';
import { listLimits } from '#shared/limits';
import { formatCount } from '#shared/text/format-count';
import { useDismiss } from '#site/islands/ui/feedback/use-popover.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { customerName } from '../lists/customers.ts';
import { MAX_RESULTS, searchCustomers } from './api.ts';

const TYPING_PAUSE_MS = 200;

export type SearchResult =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; retry(): void }
  | { kind: 'loaded'; rows: CustomerItem[]; total: number; isMore: boolean };

/** Searches customers when typing pauses. Ignores the reply to an older search. */
export function useCustomers(query: string, isEnabled: boolean): SearchResult {
  const [result, setResult] = useState<SearchResult>({ kind: 'loading' });
  const [attemptCount, setAttemptCount] = useState(0);
  const trimmed = query.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attemptCount` triggers a new request
  useEffect(() => {
    if (!isEnabled) return;
    let isOutdated = false;
    const timer = setTimeout(async () => {
      const answer = await searchCustomers(trimmed);
      if (isOutdated) return;
      if (!answer.ok) {
        setResult({
          kind: 'failed',
          message: answer.error.message,
          retry: () => setAttemptCount((count) => count + 1),
        });
        return;
      }
      const { rows, info } = answer.value;
      setResult({ kind: 'loaded', rows, total: info.total ?? rows.length, isMore: info.isMore });
    }, TYPING_PAUSE_MS);
    return () => {
      isOutdated = true;
      clearTimeout(timer);
    };
  }, [trimmed, isEnabled, attemptCount]);
  return result;
}

type Props = { selected: CustomerItem | null; onChoose(customer: CustomerItem | null): void; isDisabled: boolean };

/** A search field for customers with an open invoice. */
export function CustomerBox({ selected: chosen, onChoose, isDisabled }: Props) {
  const id = useId();
  const [query, setQuery] = useState(chosen ? customerName(chosen) : '');
  const [isOpen, setOpen] = useState(false);
  const [activeIndex, setActiveIndex] = useState(-1);
  const root = useRef<HTMLDivElement>(null);
  const result = useCustomers(query, isOpen);
  const rows = result.kind === 'loaded' ? result.rows : [];
  useDismiss(root, isOpen, () => setOpen(false));

  const selectCustomer = (customer: CustomerItem) => {
    onChoose(customer);
    setQuery(customerName(customer));
    setOpen(false);
    setActiveIndex(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const lastIndex = rows.length - 1;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (lastIndex >= 0) {
        const next = activeIndex + step;
        setActiveIndex(next > lastIndex ? 0 : next < 0 ? lastIndex : next);
      }
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      const row = rows[activeIndex] ?? (rows.length === 1 ? rows[0] : undefined);
      if (row) selectCustomer(row);
    }
  };

  return (
    <div className="field take-customer" ref={root}>
      <label className="label" htmlFor={id}>
        Customer
      </label>
      <span className="take-box">
        <Icon name="search" size="sm" />
        <input
          id={id}
          className="input"
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={isOpen && activeIndex >= 0 ? `${id}-${activeIndex}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={listLimits.typedWords}
          disabled={isDisabled}
          placeholder={isDisabled ? 'Choose a card reader first' : 'Name, email, phone or company'}
          value={query}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setQuery(target.value);
            setOpen(true);
            setActiveIndex(-1);
            if (chosen) onChoose(null);
          }}
        />
      </span>
      <p className="sr-only" role="status">
        {isOpen ? describeCount(result) : ''}
      </p>
      <div className="take-list" hidden={!isOpen}>
        <div id={`${id}-list`} role="listbox" aria-label="Customers">
          {rows.map((customer, index) => (
            <div
              key={customer.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === activeIndex}
              onPointerEnter={() => setActiveIndex(index)}
              // This runs on pointer down, since the field would lose its focus before the click.
              onPointerDown={(event) => {
                event.preventDefault();
                selectCustomer(customer);
              }}
            >
              {customerName(customer)}
              <span className="take-company">{secondLineOf(customer)}</span>
            </div>
          ))}
        </div>
        {result.kind === 'loading' && <p className="take-none">Loading...</p>}
        {result.kind === 'loaded' && rows.length === 0 && (
          <p className="take-none">
            {query.trim() === '' ? 'No customer has an open invoice.' : 'No customer with an open invoice matches.'}
          </p>
        )}
        {result.kind === 'loaded' && result.total > MAX_RESULTS && (
          <p className="take-none">{formatMinimum(result, result.total - rows.length)} more. Type to find them.</p>
        )}
        {result.kind === 'failed' && (
          <p className="take-none">
            The customers could not be loaded. {result.message}{' '}
            <button type="button" className="text-button" onClick={result.retry}>
              Retry
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** Returns the second line, which distinguishes customers with the same name. */
function secondLineOf(customer: CustomerItem): string {
  const { company, email } = customer.properties;
  return [company, email].filter((text) => text !== '' && text !== customerName(customer)).join(' · ');
}

const formatMinimum = ({ isMore }: { isMore: boolean }, count: number): string => `${count}${isMore ? '+' : ''}`;

function describeCount(result: SearchResult): string {
  if (result.kind !== 'loaded') return '';
  const { total } = result;
  const count = result.rows.length;
  if (count === 0) return 'No customers found.';
  if (total > count) return `${count} of ${formatMinimum(result, total)} customers.`;
  return `${formatCount(count, 'customer')}.`;
}
