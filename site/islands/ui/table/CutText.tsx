import { useEffect, useId, useRef, useState } from 'react';
import { useDismiss, useFloat } from '../feedback/use-popover.ts';
import '#site/styles/parts/table/cut-text.css';

const LONGEST = 50;
const HOVER_MS = 300;

/** A short text unchanged, a long one as its beginning and an ellipsis. */
export function beginningOf(text: string): string {
  const letters = Array.from(text);
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST).join('').trimEnd()}…` : text;
}

/** The beginning of a long text, which expands by mouse, touch and keyboard. */
export function CutText({ text }: { text: string }) {
  const beginning = beginningOf(text);
  return beginning === text ? text : <Cut text={text} beginning={beginning} />;
}

function Cut({ text, beginning }: { text: string; beginning: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const part = useRef<HTMLSpanElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLSpanElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const plan = (open: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(open), HOVER_MS);
  };
  const set = (open: boolean) => {
    clearTimeout(timer.current);
    setOpen(open);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useFloat(button, panel, isOpen);
  useDismiss(part, isOpen, () => set(false));

  return (
    <span
      className="cut"
      ref={part}
      onPointerEnter={({ pointerType }) => pointerType === 'mouse' && plan(true)}
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && plan(false)}
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
