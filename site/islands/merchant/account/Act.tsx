import { type ReactNode, useState } from 'react';
import type { Answer } from '../../ui/api/parse-response.ts';
import { Dialog } from '../../ui/feedback/Dialog.tsx';
import { toast } from '../../ui/feedback/toast.ts';
import { Button } from '../../ui/form/Button.tsx';

type Props<T> = {
  /** On the button that opens the dialog; `about` is read out after it. */
  label: string;
  about?: string;
  title: string;
  verb: string;
  destroys?: boolean;
  /** By default the button is one of a row. */
  isApart?: boolean;
  run(): Promise<Answer<T>>;
  /** Said once it is done. */
  done: string;
  onDone(value: T): void;
  children: ReactNode;
};

/** An act behind a question; a refusal shows inside it. */
export function Act<T>(props: Props<T>) {
  const { label, about, title, verb, destroys = false, isApart = false, run, done, onDone, children } = props;
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
    toast(done);
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
