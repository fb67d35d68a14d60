import { useState } from 'react';
import type { Undecided } from '../../../../shared/contracts/match.ts';
import { formatMoney, parseCents } from '../../../../shared/money.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { resolvePayment } from './matching-calls.ts';

type Props = {
  payment: Undecided;
  verdict: 'charged' | 'not-charged';
  onDone(message: string): void;
  onCancel(): void;
};

/** Asks before a person's word decides on a payment; the Worker holds it against the gateway. */
export function ResolveDialog({ payment, verdict, onDone, onCancel }: Props) {
  const [note, setNote] = useState('');
  const [error, setError] = useState<string>();
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const isCharged = verdict === 'charged';

  const confirm = async () => {
    setFailure(null);
    if (note.trim() === '') {
      setError('Please say how you know.');
      document.getElementById('resolve-note')?.focus();
      return;
    }
    setBusy(true);
    const answer = await resolvePayment(payment.payment_id, verdict, note.trim());
    setBusy(false);
    if (answer.ok) onDone(answer.value);
    else setFailure(answer.fault.message);
  };

  return (
    <Dialog
      title={`Was ${payment.invoice_number} charged?`}
      verb={isCharged ? 'It was charged' : 'It was not charged'}
      busy={isBusy}
      failure={failure}
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    >
      <p>
        {isCharged ? (
          <>
            The invoice is then paid with{' '}
            <span className="money">{formatMoney(parseCents(payment.amount) ?? 0, 'USD')}</span>, and the receipt is
            sent. We ask the card provider first: it must show exactly this charge.
          </>
        ) : (
          <>The invoice can then be paid again. We ask the card provider first: it must show no money taken.</>
        )}
      </p>
      <Field
        id="resolve-note"
        label="Note"
        hint="How you know. It is kept with your name."
        autoComplete="off"
        maxLength={500}
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
