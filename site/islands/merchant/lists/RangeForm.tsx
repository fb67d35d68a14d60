import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import type { Range } from './range.ts';
import '#site/styles/parts/form/choices.css';

type Props = {
  type: 'date' | 'text';
  labels: [from: string, to: string];
  range: Range | null;
  /** Converts a typed value to the server's format. Returns null if it is invalid. */
  parse(text: string): string | null;
  onApply(range: Range): void;
};

const INVALID_AMOUNT = 'Enter an amount like 10 or 10.50.';

/** A form for both ends of a filter by day or amount. */
export function RangeForm({ type, labels, range, parse: read, onApply }: Props) {
  const [draft, setDraft] = useState<Range>(range ?? { from: '', to: '' });
  const [isSubmitted, setSubmitted] = useState(false);
  const from = read(draft.from);
  const to = read(draft.to);
  const field = (end: 'from' | 'to', label: string, value: string | null) => (
    <Field
      id={`range-${end}`}
      type={type}
      inputMode={type === 'text' ? 'decimal' : undefined}
      autoComplete="off"
      label={label}
      value={draft[end]}
      error={isSubmitted && value === null ? INVALID_AMOUNT : undefined}
      onChange={({ target }) => setDraft({ ...draft, [end]: target.value })}
    />
  );
  return (
    <form
      className="choices"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setSubmitted(true);
        if (from !== null && to !== null) onApply({ from, to });
      }}
    >
      {field('from', labels[0], from)}
      {field('to', labels[1], to)}
      <div className="choices-end">
        <Button type="submit">Apply</Button>
        {range && (
          <Button kind="ghost" onClick={() => onApply({ from: '', to: '' })}>
            Any
          </Button>
        )}
      </div>
    </form>
  );
}
