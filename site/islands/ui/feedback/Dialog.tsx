import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '../form/Button.tsx';
import { Banner } from './Banner.tsx';
import '#site/styles/parts/feedback/dialog.css';

type Props = {
  /** A question to which the confirm button is the answer. */
  title: string;
  confirmLabel: string;
  /** The label of the cancel button, or null if nothing can be cancelled anymore. */
  cancelLabel?: string | null;
  /** True if the action cannot be undone. */
  isDestructive?: boolean;
  /** The element that gets the focus at first. With `verb`, it is the confirm button, so that Enter confirms. */
  focus?: 'cancel' | 'verb' | 'field';
  busy: boolean;
  /** The reason why the last attempt failed, or null. */
  failure: string | null;
  onConfirm(): void;
  onCancel(): void;
  children: ReactNode;
};

/** Asks for confirmation. It is open while it is rendered. After that, the focus returns to the previous element. */
export function Dialog(props: Props) {
  const { title, confirmLabel: verb, cancelLabel: cancel = 'Cancel', isDestructive = false, focus = 'cancel' } = props;
  const { busy, failure, onConfirm, onCancel, children } = props;
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const initialFocus = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    initialFocus.current?.focus();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);

  return (
    <dialog
      className="dialog"
      ref={dialog}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-body`}
      onCancel={(event) => {
        event.preventDefault();
        if (!busy) onCancel();
      }}
    >
      <h2 id={`${id}-title`}>{title}</h2>
      <div className="dialog-body" id={`${id}-body`}>
        {children}
      </div>
      {failure && <Banner tone="bad" lead={failure} />}
      <div className="dialog-actions">
        {cancel !== null && (
          <Button onClick={onCancel} disabled={busy} {...(focus === 'cancel' && { ref: initialFocus })}>
            {cancel}
          </Button>
        )}
        <Button
          kind={isDestructive ? 'bad' : 'primary'}
          busy={busy}
          onClick={onConfirm}
          {...(focus === 'verb' && { ref: initialFocus })}
        >
          {verb}
        </Button>
      </div>
    </dialog>
  );
}
