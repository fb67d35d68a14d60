import { useEffect, useId, useRef, useState } from 'react';
import { useDismiss, useFloat } from '../feedback/use-popover.ts';
import '#site/styles/parts/table/cut-text.css';

const MAX_LENGTH = 50;
const HOVER_MS = 300;

/** Truncates a long text and adds an ellipsis. A short text is returned unchanged. */
export function beginningOf(text: string): string {
  const characters = Array.from(text);
  return characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH).join('').trimEnd()}…` : text;
}

/** Shows the beginning of a long text, which can be expanded by mouse, touch or keyboard. */
export function CutText({ text }: { text: string }) {
  const beginning = beginningOf(text);
  return beginning === text ? text : <Cut text={text} beginning={beginning} />;
}

function Cut({ text, beginning }: { text: string; beginning: string }) {
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
  const set = (open: boolean) => {
    clearTimeout(timer.current);
    setOpen(open);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useFloat(button, panel, isOpen);
  useDismiss(root, isOpen, () => set(false));

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
        onClick={() => set(true)}
        onFocus={({ target }) => target.matches(':focus-visible') && set(true)}
        onBlur={() => set(false)}
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
