import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';
import { standBeside } from './stand-beside.ts';
import { useDismiss } from './use-dismiss.ts';
import '../../styles/parts/button.css';
import '../../styles/parts/disclosure.css';

type Props = {
  label: ReactNode;
  /** Heard before the label, where the label alone would not say enough. */
  about?: string;
  /** Something is chosen in it. */
  isSet?: boolean;
  /** At which edge of the button the panel stands. */
  align?: 'end';
  /** A list of things to do: the arrows go from one to the next. */
  isMenu?: boolean;
  /** Stands before everything, where it would be cut off by what scrolls. */
  floats?: boolean;
  size?: 'sm';
  children(close: () => void): ReactNode;
};

/** A button that opens a panel beside the content. */
export function Disclosure({ label, about, isSet, align, isMenu, floats, size, children }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const part = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useDismiss(part, isOpen, (by) => (by === 'escape' ? close() : setOpen(false)));

  useEffect(() => {
    const [owner, above] = [button.current, panel.current];
    if (!floats || !isOpen || !owner || !above) return;
    above.showPopover();
    standBeside(owner, above, align);
    const leave = () => setOpen(false);
    document.addEventListener('scroll', leave, true);
    return () => {
      document.removeEventListener('scroll', leave, true);
      if (above.isConnected) above.hidePopover();
    };
  }, [floats, isOpen, align]);

  const onArrow = (event: KeyboardEvent) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!isMenu || !isOpen || !way) return;
    event.preventDefault();
    const items = [...(part.current?.querySelectorAll<HTMLElement>('.disclosure-panel :is(a, button)') ?? [])];
    const at = items.findIndex((item) => item.matches(':focus'));
    items[Math.max(0, Math.min(at + way, items.length - 1))]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows are an addition to Tab, heard where the items are
    <div className="disclosure" ref={part} onKeyDown={onArrow}>
      <button
        type="button"
        className={`button button-secondary${size ? ` button-${size}` : ''}${isSet ? ' disclosure-set' : ''}`}
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {about && <span className="sr-only">{about}: </span>}
        {label}
        <Icon name="chevronDown" size="sm" />
      </button>
      <div
        id={id}
        className={`disclosure-panel${align ? ' disclosure-end' : ''}${isMenu ? ' menu' : ''}`}
        hidden={!isOpen}
        popover={floats ? 'manual' : undefined}
        ref={panel}
      >
        {isOpen && children(close)}
      </div>
    </div>
  );
}
