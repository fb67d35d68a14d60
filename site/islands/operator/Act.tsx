import { type ReactNode, useState } from 'react';
import { Done } from '../../../shared/contracts/operator.ts';
import type { Answer } from '../ui/api/parse-response.ts';
import { readWith } from '../ui/api/read-with.ts';
import { Dialog } from '../ui/feedback/Dialog.tsx';
import { toast } from '../ui/feedback/toast.ts';
import { Button } from '../ui/form/Button.tsx';

export const readDone = readWith(Done);

type Props = {
  /** On the button that opens the dialog; `about` is read out after it. */
  label: string;
  about?: string;
  title: string;
  verb: string;
  destroys?: boolean;
  /** Does it, and says what was done. */
  run(): Promise<Answer<{ done: string }>>;
  onDone(): void;
  children: ReactNode;
};

/** An act behind a question. Where the passkey was not shown lately, the browser asks for it after that. */
export function Act({ label, about = '', title, verb, destroys = false, run, onDone, children }: Props) {
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
    toast(answer.value.done);
    onDone();
  };
  return (
    <>
      <Button
        size="sm"
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
