import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Icon } from '../Icon.tsx';
import { useDismiss, useFloatingPanel } from './use-popover.ts';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/feedback/disclosure.css';

type Props = {
  label: ReactNode;
  /** Text before the label for screen readers, if the label alone is not clear enough. */
  labelPrefix?: string;
  /** True if a choice in the panel is active. */
  isSet?: boolean;
  /** The edge of the button with which the panel is aligned. */
  align?: 'end';
  /** True if the panel is a list of actions, so that arrow keys move between them. */
  isMenu?: boolean;
  size?: 'sm';
  children(close: () => void): ReactNode;
};

/** A button that opens a floating panel. */
export function Disclosure({ label, labelPrefix, isSet, align, isMenu, size, children }: Props) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useDismiss(root, isOpen, (trigger) => (trigger === 'escape' ? close() : setOpen(false)));
  useFloatingPanel(button, panel, isOpen, align);

  const onArrow = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!isMenu || !isOpen || !step) return;
    event.preventDefault();
    const items = [...(root.current?.querySelectorAll<HTMLElement>('.disclosure-panel :is(a, button)') ?? [])];
    const index = items.findIndex((item) => item.matches(':focus'));
    items[Math.max(0, Math.min(index + step, items.length - 1))]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys supplement Tab and bubble up from the items
    <div className="disclosure" ref={root} onKeyDown={onArrow}>
      <button
        type="button"
        className={`button button-secondary${size ? ` button-${size}` : ''}${isSet ? ' disclosure-set' : ''}`}
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {labelPrefix && <span className="sr-only">{labelPrefix}: </span>}
        {label}
        <Icon name="chevronDown" size="sm" />
      </button>
      <div
        id={id}
        className={isMenu ? 'disclosure-panel menu' : 'disclosure-panel'}
        hidden={!isOpen}
        popover="manual"
        ref={panel}
      >
        {isOpen && children(close)}
      </div>
    </div>
  );
}
