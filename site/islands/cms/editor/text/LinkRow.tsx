import { useEffect, useRef, useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { readHref } from './tools.ts';

type Props = { href: string | null; onSet(href: string | null): void; onClose(): void };

/** Edits the address of a link. */
export function LinkRow({ href, onSet, onClose }: Props) {
  const [text, setText] = useState(href ?? '');
  const [error, setError] = useState('');
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      className="link-row"
      noValidate
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const address = readHref(text);
        if (address) onSet(address);
        else setError('Please enter a web address, an e-mail address or a path of this site.');
      }}
    >
      <Field
        id="link-address"
        label="Link address"
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        ref={input}
        value={text}
        error={error || undefined}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="link-row-actions">
        <Button type="submit">Set link</Button>
        {href !== null && <Button onClick={() => onSet(null)}>Remove link</Button>}
        <Button kind="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
