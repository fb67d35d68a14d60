import { type ReactNode, useState } from 'react';
import type { Answer } from '../api/parse-response.ts';
import { Button } from '../form/Button.tsx';
import { Dialog } from './Dialog.tsx';
import { toast } from './Toasts.tsx';

type Props<T> = {
  /** The label of the button that opens the dialog. Screen readers also get `labelSuffix`. */
  label: string;
  labelSuffix?: string | undefined;
  title: string;
  confirmLabel: string;
  /** The label of the cancel button. */
  cancelLabel?: string;
  isDestructive?: boolean;
  /** Set for a button of full size. By default, it is small, for a row of buttons. */
  isFullSize?: boolean;
  runAction(): Promise<Answer<T>>;
  /** The toast after success. */
  successText: string | ((value: T) => string);
  onDone(value: T): void;
  children: ReactNode;
};

/**
 * A button for an action with a confirmation dialog, which also shows errors. If the action needs a proof of identity,
 * the user is asked for it after the confirmation.
 */
export function ConfirmedAction<T>(props: Props<T>) {
  const {
    label,
    labelSuffix = '',
    title,
    confirmLabel: verb,
    cancelLabel: cancel = 'Cancel',
    isDestructive = false,
    isFullSize = false,
    runAction: run,
    successText,
    onDone,
    children,
  } = props;
  const [isOpen, setOpen] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await run();
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setOpen(false);
    toast(typeof successText === 'string' ? successText : successText(answer.value));
    onDone(answer.value);
  };
  return (
    <>
      <Button
        {...(isFullSize ? {} : { size: 'sm' })}
        onClick={() => {
          setFailure(null);
          setOpen(true);
        }}
      >
        {label}
        {labelSuffix && <span className="sr-only"> {labelSuffix}</span>}
      </Button>
      {isOpen && (
        <Dialog
          title={title}
          confirmLabel={verb}
          cancelLabel={cancel}
          isDestructive={isDestructive}
          busy={isBusy}
          failure={failure}
          onConfirm={() => void confirm()}
          onCancel={() => setOpen(false)}
        >
          {children}
        </Dialog>
      )}
    </>
  );
}
