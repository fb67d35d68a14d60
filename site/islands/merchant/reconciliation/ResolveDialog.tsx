import { type ReactNode, useState } from 'react';
import { merchantLimits } from '#shared/limits';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import type { Answer } from '../api/api.ts';

/** A decision that staff must confirm, with its consequence. */
export type Question = {
  title: string;
  confirmLabel: string;
  consequence: ReactNode;
  submit(note: string): Promise<Answer<string>>;
};

type Props = {
  question: Question;
  onDone(message: string): void;
  onCancel(): void;
};

/** Asks staff to confirm a decision, which the Worker compares with the gateway's record. */
export function ResolveDialog({ question, onDone, onCancel }: Props) {
  const [note, setNote] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);

  const confirm = async () => {
    setFailure(null);
    if (note.trim() === '') {
      setError('Please say how you know.');
      document.getElementById('resolve-note')?.focus();
      return;
    }
    setBusy(true);
    const answer = await question.submit(note.trim());
    setBusy(false);
    if (answer.ok) onDone(answer.value);
    else setFailure(answer.error.message);
  };

  return (
    <Dialog
      title={question.title}
      confirmLabel={question.confirmLabel}
      busy={isBusy}
      failure={failure}
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    >
      <p>{question.consequence}</p>
      <Field
        id="resolve-note"
        label="Note"
        hint="Say how you know. Your name is saved with it."
        autoComplete="off"
        maxLength={merchantLimits.note}
        value={note}
        error={error}
        onChange={({ target }) => {
          setNote(target.value);
          setError(undefined);
        }}
      />
    </Dialog>
  );
}
