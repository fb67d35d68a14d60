import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { listLimits } from '#shared/limits';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { navigate } from '#site/islands/ui/routing/router.tsx';
import { MoreIcon } from '../common/MoreIcon.tsx';
import { type Entry, groupsFor, type NamedPath, usePaletteSearch } from './palette-entries.ts';
import '#site/styles/parts/feedback/dialog.css';
import '#site/styles/areas/merchant/finding.css';

/** Splits a text into the parts that match a typed word in any case, and the parts between them. */
export function splitByMatches(text: string, typed: string): { text: string; isHit: boolean }[] {
  const words = typed.split(/\s+/).filter(Boolean);
  if (words.length === 0) return [{ text, isHit: false }];
  const pattern = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  return text
    .split(new RegExp(`(${pattern})`, 'gi'))
    .map((part, index) => ({ text: part, isHit: index % 2 === 1 }))
    .filter((part) => part.text !== '');
}

export function HighlightedText({ text, typed }: { text: string; typed: string }) {
  return splitByMatches(text, typed).map(({ text: part, isHit }, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text in fixed order
    isHit ? <mark key={index}>{part}</mark> : part,
  );
}

type Props = { places: NamedPath[]; onSwitch(): void; onClose(): void };

/** A dialog that finds customers, invoices, screens and actions by name. It never charges or sends anything itself. */
export function Palette({ places, onSwitch, onClose }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [selectedId, setSelectedId] = useState<string | null>(null);
  const typed = text.trim();
  const { results, failure, isLoading } = usePaletteSearch(typed);
  const groups = groupsFor(typed, results, places, onSwitch);
  const entries = groups.flatMap((group) => group.entries);
  const index = Math.max(
    0,
    entries.findIndex((entry) => entry.id === selectedId),
  );
  const current = entries[index];
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  useEffect(() => {
    if (current) document.getElementById(`${id}-${current.id}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, current]);

  const openEntry = ({ path, act }: Entry, inNewTab: boolean) => {
    if (inNewTab && path) return void window.open(path, '_blank', 'noopener');
    onClose();
    if (act) act();
    else navigate(path);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && entries.length > 0) {
      event.preventDefault();
      setSelectedId(entries[(index + step + entries.length) % entries.length]?.id ?? null);
    }
    // While an input method composes text, Enter only ends the composition.
    if (event.key === 'Enter' && current && !event.nativeEvent.isComposing) {
      event.preventDefault();
      openEntry(current, event.ctrlKey || event.metaKey);
    }
  };
  const count = entries.length === 1 ? '1 result' : `${entries.length} results`;
  const status = isLoading ? 'Loading...' : (failure ?? (entries.length > 0 ? count : `Nothing found for "${typed}".`));

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
            setSelectedId(null);
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
        aria-busy={isLoading || undefined}
      >
        {groups.map(({ name, entries: items }, groupIndex) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
          <div key={name} role="group" aria-labelledby={`${id}-${groupIndex}`}>
            <p id={`${id}-${groupIndex}`} role="presentation">
              {name}
            </p>
            {items.map((entry) => (
              <Option
                key={entry.id}
                id={`${id}-${entry.id}`}
                entry={entry}
                typed={typed}
                isSelected={entry === current}
                onSelect={() => setSelectedId(entry.id)}
                onChoose={(event) => openEntry(entry, event.ctrlKey || event.metaKey)}
              />
            ))}
          </div>
        ))}
      </div>
      {(failure || entries.length === 0) && !isLoading && <p className="palette-none">{status}</p>}
      {!navigator.onLine && <p className="palette-none">You are offline. Customers and invoices are not searched.</p>}
      <p className="sr-only" role="status">
        {status}
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
          {entries.length > 0 ? index + 1 : 0} of {entries.length}
        </span>
      </p>
    </dialog>
  );
}

type OptionProps = {
  id: string;
  entry: Entry;
  typed: string;
  isSelected: boolean;
  onSelect(): void;
  onChoose(event: MouseEvent): void;
};

const Option = ({ id, entry: { icon, name, detail, state }, typed, isSelected, onSelect, onChoose }: OptionProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the focused field handles the keys
  <div
    id={id}
    className="palette-line"
    role="option"
    aria-selected={isSelected}
    tabIndex={-1}
    onPointerMove={onSelect}
    onPointerDown={(event) => event.preventDefault()}
    onClick={onChoose}
  >
    <MoreIcon name={icon} size="sm" />
    <span className="palette-name">
      <HighlightedText text={name} typed={typed} />{' '}
      {detail && (
        <small>
          <HighlightedText text={detail} typed={typed} />
        </small>
      )}
    </span>
    {state && <span className="palette-state">{state}</span>}
    {isSelected && <MoreIcon name="enter" size="sm" />}
  </div>
);
