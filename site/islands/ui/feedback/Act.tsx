import { type ReactNode, useState } from 'react';
import type { Answer } from '../api/parse-response.ts';
import { Button } from '../form/Button.tsx';
import { Dialog } from './Dialog.tsx';
import { toast } from './Toasts.tsx';

type Props<T> = {
  /** On the button that opens the dialog; `about` is read out after it. */
  label: string;
  about?: string | undefined;
  title: string;
  verb: string;
  destroys?: boolean;
  /** By default the button is one of a row. */
  isApart?: boolean;
  run(): Promise<Answer<T>>;
  /** Said once it is done. */
  done: string | ((value: T) => string);
  onDone(value: T): void;
  children: ReactNode;
};

/** An act behind a question; a refusal shows inside it. Where a proof is asked for, the browser asks after that. */
export function Act<T>(props: Props<T>) {
  const { label, about = '', title, verb, destroys = false, isApart = false, run, done, onDone, children } = props;
  const [isAsking, setAsking] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await run();
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    setAsking(false);
    toast(typeof done === 'string' ? done : done(answer.value));
    onDone(answer.value);
  };
  return (
    <>
      <Button
        {...(isApart ? {} : { size: 'sm' })}
        onClick={() => {
          setFailure(null);
          setAsking(true);
        }}
      >
        {label}
        {about && <span className="sr-only"> {about}</span>}
      </Button>
      {isAsking && (
        <Dialog
          title={title}
          verb={verb}
          destroys={destroys}
          busy={isBusy}
          failure={failure}
          onConfirm={() => void confirm()}
          onCancel={() => setAsking(false)}
        >
          {children}
        </Dialog>
      )}
    </>
  );
}
