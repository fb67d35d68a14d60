import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { CustomerItem } from '#shared/contracts/lists/lists';
import { listLimits } from '#shared/limits';
import { counted } from '#shared/text/counted';
import { useDismiss } from '#site/islands/ui/feedback/use-popover.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { customerName } from '../lists/customers.ts';
import { OFFERED, searchCustomers } from './api.ts';

const PAUSE_MS = 200;

export type Found =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string; retry(): void }
  | { kind: 'loaded'; rows: CustomerItem[]; total: number; isMore: boolean };

/** Customers that match the search, requested when the typing pauses; the reply to an older search is dropped. */
export function useCustomers(words: string, isWanted: boolean): Found {
  const [found, setFound] = useState<Found>({ kind: 'loading' });
  const [tries, setTries] = useState(0);
  const text = words.trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry requests them again.
  useEffect(() => {
    if (!isWanted) return;
    let isOld = false;
    const timer = setTimeout(async () => {
      const answer = await searchCustomers(text);
      if (isOld) return;
      if (!answer.ok) {
        setFound({ kind: 'failed', message: answer.error.message, retry: () => setTries((before) => before + 1) });
        return;
      }
      const { rows, info } = answer.value;
      setFound({ kind: 'loaded', rows, total: info.total ?? rows.length, isMore: info.isMore });
    }, PAUSE_MS);
    return () => {
      isOld = true;
      clearTimeout(timer);
    };
  }, [text, isWanted, tries]);
  return found;
}

type Props = { chosen: CustomerItem | null; onChoose(customer: CustomerItem | null): void; isDisabled: boolean };

/** Finds customers with an open invoice while staff type. */
export function CustomerBox({ chosen, onChoose, isDisabled }: Props) {
  const id = useId();
  const [words, setWords] = useState(chosen ? customerName(chosen) : '');
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const part = useRef<HTMLDivElement>(null);
  const found = useCustomers(words, isOpen);
  const rows = found.kind === 'loaded' ? found.rows : [];
  useDismiss(part, isOpen, () => setOpen(false));

  const choose = (customer: CustomerItem) => {
    onChoose(customer);
    setWords(customerName(customer));
    setOpen(false);
    setAt(-1);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = rows.length - 1;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      setOpen(true);
      const step = event.key === 'ArrowDown' ? 1 : -1;
      if (last >= 0) setAt(at + step > last ? 0 : at + step < 0 ? last : at + step);
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      const row = rows[at] ?? (rows.length === 1 ? rows[0] : undefined);
      if (row) choose(row);
    }
  };

  return (
    <div className="field take-customer" ref={part}>
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
          aria-activedescendant={isOpen && at >= 0 ? `${id}-${at}` : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={listLimits.typedWords}
          disabled={isDisabled}
          placeholder={isDisabled ? 'Choose a device first' : 'Name, email, phone or company'}
          value={words}
          onClick={() => setOpen(true)}
          onKeyDown={onKeyDown}
          onChange={({ target }) => {
            setWords(target.value);
            setOpen(true);
            setAt(-1);
            if (chosen) onChoose(null);
          }}
        />
      </span>
      <p className="sr-only" role="status">
        {isOpen ? countOf(found) : ''}
      </p>
      <div className="take-list" hidden={!isOpen}>
        <div id={`${id}-list`} role="listbox" aria-label="Customers">
          {rows.map((customer, index) => (
            <div
              key={customer.id}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onPointerEnter={() => setAt(index)}
              // On pointer down, since the field loses its focus before the click.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(customer);
              }}
            >
              {customerName(customer)}
              <span className="take-company">{underOf(customer)}</span>
            </div>
          ))}
        </div>
        {found.kind === 'loading' && <p className="take-none">Loading...</p>}
        {found.kind === 'loaded' && rows.length === 0 && (
          <p className="take-none">
            {words.trim() === '' ? 'No customer has an open invoice.' : 'No customer with an open invoice matches.'}
          </p>
        )}
        {found.kind === 'loaded' && found.total > OFFERED && (
          <p className="take-none">{atLeast(found, found.total - rows.length)} more. Type to find them.</p>
        )}
        {found.kind === 'failed' && (
          <p className="take-none">
            The customers could not be loaded. {found.message}{' '}
            <button type="button" className="text-button" onClick={found.retry}>
              Retry
            </button>
          </p>
        )}
      </div>
    </div>
  );
}

/** A second line that distinguishes customers of the same name. */
function underOf(customer: CustomerItem): string {
  const { company, email } = customer.properties;
  return [company, email].filter((text) => text !== '' && text !== customerName(customer)).join(' · ');
}

const atLeast = ({ isMore }: { isMore: boolean }, count: number): string => `${count}${isMore ? '+' : ''}`;

function countOf(found: Found): string {
  if (found.kind !== 'loaded') return '';
  const { total } = found;
  const shown = found.rows.length;
  if (shown === 0) return 'No customers found.';
  if (total > shown) return `${shown} of ${atLeast(found, total)} customers.`;
  return `${counted(shown, 'customer')}.`;
}
