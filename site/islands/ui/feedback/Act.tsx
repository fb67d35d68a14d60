import { type ReactNode, useState } from 'react';
import type { Answer } from '../api/parse-response.ts';
import { Button } from '../form/Button.tsx';
import { Dialog } from './Dialog.tsx';
import { toast } from './Toasts.tsx';

type Props<T> = {
  /** The label of the button that opens the dialog; `about` is added for screen readers. */
  label: string;
  about?: string | undefined;
  title: string;
  verb: string;
  /** The label of the cancel button. */
  cancel?: string;
  destroys?: boolean;
  /** Uses a full-size button; by default it is small, for a row of buttons. */
  isApart?: boolean;
  run(): Promise<Answer<T>>;
  /** The toast after success. */
  done: string | ((value: T) => string);
  onDone(value: T): void;
  children: ReactNode;
};

/**
 * An action with a confirmation dialog, which also shows an error. If a proof of identity is needed, the browser asks
 * for it after the confirmation.
 */
export function Act<T>(props: Props<T>) {
  const {
    label,
    about = '',
    title,
    verb,
    cancel = 'Cancel',
    destroys = false,
    isApart = false,
    run,
    done,
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
    toast(typeof done === 'string' ? done : done(answer.value));
    onDone(answer.value);
  };
  return (
    <>
      <Button
        {...(isApart ? {} : { size: 'sm' })}
        onClick={() => {
          setFailure(null);
          setOpen(true);
        }}
      >
        {label}
        {about && <span className="sr-only"> {about}</span>}
      </Button>
      {isOpen && (
        <Dialog
          title={title}
          verb={verb}
          cancel={cancel}
          destroys={destroys}
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
