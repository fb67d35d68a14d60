import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { readHref } from '#shared/article/href';
import { useDismiss, useFloatingPanel } from '#site/islands/ui/feedback/use-popover.ts';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import '#site/styles/parts/feedback/disclosure.css';

type Props = {
  /** The button below which the panel floats. */
  owner: RefObject<HTMLElement | null>;
  href: string | null;
  onSet(href: string | null): void;
  onClose(): void;
  /** Called instead of `onClose` if the writer has moved the focus elsewhere; it then stays there. */
  onLeave(): void;
};

/** Edits the address of a link, floating over the text. */
export function LinkPanel({ owner, href, onSet, onClose, onLeave }: Props) {
  const [text, setText] = useState(href ?? '');
  const [error, setError] = useState('');
  const panel = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  useHighlightedSelection();
  useFloatingPanel(owner, panel, true);
  useDismiss(panel, true, (trigger) => (trigger === 'escape' ? onClose() : onLeave()));
  useEffect(() => input.current?.focus({ preventScroll: true }), []);
  return (
    <form
      className="disclosure-panel link-panel"
      aria-label="Link"
      popover="manual"
      noValidate
      ref={panel}
      onSubmit={(event) => {
        event.preventDefault();
        const address = readHref(text);
        if (address) onSet(address);
        else setError('Please enter a web address, an email address or a path of this site.');
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
      <div className="link-actions">
        <Button type="submit">Set link</Button>
        {href !== null && <Button onClick={() => onSet(null)}>Remove link</Button>}
        <Button kind="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** The highlight's name in editor-text.css. */
const SELECTION = 'kept-selection';

/** Keeps the selected text highlighted while the panel has the focus; browsers highlight it only in focused parts. */
function useHighlightedSelection(): void {
  useLayoutEffect(() => {
    const selection = getSelection();
    if (!selection || selection.isCollapsed || !('highlights' in CSS)) return;
    CSS.highlights.set(SELECTION, new Highlight(selection.getRangeAt(0).cloneRange()));
    return () => void CSS.highlights.delete(SELECTION);
  }, []);
}
