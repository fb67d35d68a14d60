import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { listLimits } from '#shared/limits';
import { Icon } from '../Icon.tsx';
import '#site/styles/parts/form/field.css';
import '#site/styles/parts/table/search.css';

const TYPING_PAUSE_MS = 250;

/** `searchedFields` names the fields in the label, for example "number or name". */
type Props = { searchedFields: string; value: string; onSearch(query: string): void };

/** Searches when typing pauses, and immediately on Enter. */
export function SearchBox({ searchedFields, value, onSearch }: Props) {
  const id = useId();
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // The value changed without typing here, for example by the back button.
  if (lastValue !== value) {
    setLastValue(value);
    if (text.trim() !== value) setText(value);
  }
  const search = (query: string) => {
    clearTimeout(timer.current);
    if (query.trim() !== value) onSearch(query.trim());
  };
  const onPause = useEffectEvent(search);
  return (
    <search className="search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(text);
        }}
      >
        <label className="sr-only" htmlFor={id}>
          Search {searchedFields}
        </label>
        <Icon name="search" size="sm" />
        <input
          id={id}
          className="input"
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={listLimits.typedWords}
          placeholder={`${searchedFields.charAt(0).toUpperCase()}${searchedFields.slice(1)}`}
          value={text}
          onChange={({ target }) => {
            setText(target.value);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => onPause(target.value), TYPING_PAUSE_MS);
          }}
        />
      </form>
    </search>
  );
}
