import { useEffect, useId, useRef, useState } from 'react';
import { standBeside } from './stand-beside.ts';
import '../../styles/parts/cut-text.css';

export const LONGEST = 50;
const HOVER_MS = 300;

/** A text that would be too long for its cell: its beginning, which opens the whole by mouse, touch and keyboard. */
export function CutText({ text }: { text: string }) {
  const letters = Array.from(text);
  if (letters.length <= LONGEST) return text;
  return <Cut text={text} beginning={letters.slice(0, LONGEST).join('').trimEnd()} />;
}

function Cut({ text, beginning }: { text: string; beginning: string }) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
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

  useEffect(() => {
    const [from, to] = [button.current, panel.current];
    if (!isOpen || !from || !to) return;
    to.showPopover();
    standBeside(from, to);
    const close = () => setOpen(false);
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') close();
    };
    const onPress = ({ target }: Event) => {
      if (target instanceof Node && !from.contains(target) && !to.contains(target)) close();
    };
    document.addEventListener('keydown', onKey);
    document.addEventListener('pointerdown', onPress);
    document.addEventListener('scroll', close, true);
    return () => {
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('pointerdown', onPress);
      document.removeEventListener('scroll', close, true);
      if (to.isConnected) to.hidePopover();
    };
  }, [isOpen]);

  return (
    <span
      className="cut"
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
        <span aria-hidden="true">{beginning}…</span>
        <span className="sr-only">{text}</span>
      </button>
      <span className="cut-panel" id={id} popover="manual" ref={panel}>
        {text}
      </span>
    </span>
  );
}
