import { useEffect, useId, useRef, useState } from 'react';
import { useDismiss, useFloatingPanel } from '../feedback/use-popover.ts';
import '#site/styles/parts/table/cut-text.css';

const MAX_LENGTH = 50;
const HOVER_MS = 300;

/** Truncates a long text and adds an ellipsis. A short text is returned unchanged. */
export function truncate(text: string): string {
  const characters = Array.from(text);
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('').trimEnd()}…` : text;
}

/** Shows the beginning of a long text, which can be expanded by mouse, touch or keyboard. */
export function TruncatedText({ text }: { text: string }) {
  const shortText = truncate(text);
  return shortText === text ? text : <ExpandableText text={text} beginning={shortText} />;
}

function ExpandableText({ text, beginning }: { text: string; beginning: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const schedule = (open: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(open), HOVER_MS);
  };
  const setNow = (open: boolean) => {
    clearTimeout(timer.current);
    setOpen(open);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useFloatingPanel(button, panel, isOpen);
  useDismiss(root, isOpen, () => setNow(false));

  return (
    <span
      className="cut"
      ref={root}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && schedule(true)}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && schedule(false)}
    >
      <button
        type="button"
        className="cut-button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setNow(true)}
        onFocus={({ target }) => target.matches(':focus-visible') && setNow(true)}
        onBlur={() => setNow(false)}
      >
        <span aria-hidden="true">{beginning}</span>
        <span className="sr-only">{text}</span>
      </button>
      <span className="cut-panel" id={id} popover="manual" ref={panel}>
        {text}
      </span>
    </span>
  );
}
