import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { listLimits } from '#shared/limits';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { navigate } from '#site/islands/ui/routing/router.tsx';
import { MoreIcon } from '../parts/MoreIcon.tsx';
import { type Entry, groupsFor, type Place, useFound } from './palette-entries.ts';
import '#site/styles/parts/feedback/dialog.css';
import '#site/styles/areas/merchant/finding.css';

/** Splits a text into the parts that match a typed word, ignoring case, and the rest. */
export function hitsIn(text: string, typed: string): { text: string; isHit: boolean }[] {
  const words = typed.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text, isHit: false }];
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text
    .split(new RegExp(`(${pattern})`, 'gi'))
    .map((part, at) => ({ text: part, isHit: at % 2 === 1 }))
    .filter((part) => part.text !== '');
}

export function Marked({ text, typed }: { text: string; typed: string }) {
  return hitsIn(text, typed).map(({ text: part, isHit }, at) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text in fixed order
    isHit ? <mark key={at}>{part}</mark> : part,
  );
}

type Props = { places: Place[]; onSwitch(): void; onClose(): void };

/** Finds customers, invoices, screens and actions by name. It never charges or sends anything itself. */
export function Palette({ places, onSwitch, onClose }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [marked, setMarked] = useState<string | null>(null);
  const typed = text.trim();
  const { found, failure, isAsking } = useFound(typed);
  const groups = groupsFor(typed, found, places, onSwitch);
  const entries = groups.flatMap((group) => group.entries);
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === marked),
  );
  const current = entries[at];
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    if (current) document.getElementById(`${id}-${current.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);

  const choose = ({ path, act }: Entry, isApart: boolean) => {
    if (isApart && path) return void window.open(path, '_blank', 'noopener');
    onClose();
    if (act) act();
    else navigate(path);
  };
  const onKey = (event: KeyboardEvent) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (way && entries.length > 0) {
      event.preventDefault();
      setMarked(entries[(at + way + entries.length) % entries.length]?.id ?? null);
    }
    // During input method composition, Enter ends the composition.
    if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) {
      event.preventDefault();
      choose(current, event.ctrlKey || event.metaKey);
    }
  };
  const count = entries.length === 1 ? '1 result' : `${entries.length} results`;
  const said = isAsking ? 'Loading...' : (failure ?? (entries.length > 0 ? count : `Nothing found for "${typed}".`));

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same
    <dialog
      className="dialog palette"
      ref={dialog}
      aria-label="Search or jump to"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target }) => target === dialog.current && onClose()}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded={entries.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={current && `${id}-${current.id}`}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={listLimits.typedWords}
          placeholder="Customer, invoice, place or action"
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            setMarked(null);
          }}
          onKeyDown={onKey}
        />
        <button type="button" className="palette-close" onClick={onClose}>
          <kbd>Esc</kbd>
          <Icon name="x" />
          <span className="sr-only">Close</span>
        </button>
      </div>
      <div
        className="palette-list"
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        aria-busy={isAsking || undefined}
      >
        {groups.map(({ name, entries: all }, nth) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
          <div key={name} role="group" aria-labelledby={`${id}-${nth}`}>
            <p id={`${id}-${nth}`} role="presentation">
              {name}
            </p>
            {all.map((entry) => (
              <Line
                key={entry.id}
                id={`${id}-${entry.id}`}
                entry={entry}
                typed={typed}
                isMarked={entry === current}
                onMark={() => setMarked(entry.id)}
                onChoose={(event) => choose(entry, event.ctrlKey || event.metaKey)}
              />
            ))}
          </div>
        ))}
      </div>
      {(failure || entries.length === 0) && !isAsking && <p className="palette-none">{said}</p>}
      {!navigator.onLine && <p className="palette-none">You are offline. Customers and invoices are not searched.</p>}
      <p className="sr-only" role="status">
        {said}
      </p>
      <p className="palette-keys" aria-hidden="true">
        <span>
          <kbd>Up</kbd> <kbd>Down</kbd> move
        </span>
        <span>
          <kbd>Enter</kbd> open
        </span>
        <span>
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> new tab
        </span>
        <span className="palette-count">
          {entries.length > 0 ? at + 1 : 0} of {entries.length}
        </span>
      </p>
    </dialog>
  );
}

type LineProps = {
  id: string;
  entry: Entry;
  typed: string;
  isMarked: boolean;
  onMark(): void;
  onChoose(event: MouseEvent): void;
};

const Line = ({ id, entry: { icon, name, beside, state }, typed, isMarked, onMark, onChoose }: LineProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys
  <div
    id={id}
    className="palette-line"
    role="option"
    aria-selected={isMarked}
    tabIndex={-1}
    onPointerMove={onMark}
    onPointerDown={(event) => event.preventDefault()}
    onClick={onChoose}
  >
    <MoreIcon name={icon} size="sm" />
    <span className="palette-name">
      <Marked text={name} typed={typed} />{' '}
      {beside && (
        <small>
          <Marked text={beside} typed={typed} />
        </small>
      )}
    </span>
    {state && <span className="palette-state">{state}</span>}
    {isMarked && <MoreIcon name="enter" size="sm" />}
  </div>
);
