import { useRef, useState } from 'react';
import { merchantLimits } from '#shared/limits';
import { decimalFromCents, formatMoney, parseCents, typedCents } from '#shared/money';
import { describeRefundLimit } from '#shared/text/staff-roles';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { readAppView } from '../common/app-view.ts';
import { type ReversalRequestReply, requestReversal, reversalsPath } from './Reversal.tsx';

type Props = {
  payment: { id: string; invoice_number: string };
  kind: 'void' | 'refund';
  /** The remaining amount of the payment, and the part of it that this user may refund now, as decimal text. */
  remaining: string;
  mayRefund: string;
  onDone(reply: ReversalRequestReply): void;
  onCancel(): void;
};

type FieldErrors = { amount?: string; reason?: string };

type SavedInput = Partial<Record<'amount' | 'reason', string>>;

/** Reads and removes the input that the step-up saved under the call's path (api/step-up/refused-call.ts). */
function takeSavedInput(call: string): SavedInput {
  const saved = sessionStorage.getItem(call);
  sessionStorage.removeItem(call);
  return JSON.parse(saved ?? '{}') as SavedInput;
}

const newRequestId = () => crypto.randomUUID();

/** Asks for confirmation of a void or a refund, whichever is possible now. */
export function ReverseDialog({ payment, kind, remaining, mayRefund, onDone, onCancel }: Props) {
  const remainingCents = parseCents(remaining) ?? 0;
  const maxCents = parseCents(mayRefund) ?? 0;
  const isLimited = maxCents < remainingCents;
  // Restores the input if a login interrupted this dialog.
  const [saved] = useState(() => takeSavedInput(reversalsPath(payment.id)));
  // Above the limit, no amount is prefilled. A lower one could be mistaken for the whole payment.
  const [amount, setAmount] = useState(saved.amount ?? (isLimited ? '' : remaining));
  const [reason, setReason] = useState(saved.reason ?? '');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // The same id is used until a definite refusal, so a retry after a lost reply does not cause a second reversal.
  const requestId = useRef(newRequestId());
  const isVoid = kind === 'void';
  const verb = isVoid ? 'Void' : 'Refund';
  const cents = isVoid ? remainingCents : (typedCents(amount.trim().replace(/^\$/, '')) ?? 0);
  const money = formatMoney(remainingCents, 'USD');
  const limit = describeRefundLimit(formatMoney(maxCents, 'USD'), readAppView().colleagues);

  const confirm = async () => {
    const invalid = validate({ cents, remainingCents, maxCents, limit }, reason);
    setErrors(invalid);
    setFailure(null);
    if (invalid.amount || invalid.reason) {
      document.getElementById(invalid.amount ? 'reversal-amount' : 'reversal-reason')?.focus();
      return;
    }
    setBusy(true);
    const answer = await requestReversal(payment.id, {
      kind,
      ...(isVoid ? {} : { amount: decimalFromCents(cents) }),
      reason: reason.trim(),
      requestId: requestId.current,
    });
    setBusy(false);
    if (answer.ok) return onDone(answer.value);
    const { status, code, message } = answer.error;
    // In both cases the server has refused this request id for good, and no money was refunded.
    if ((status >= 400 && status < 500) || code === 'gateway-unavailable') requestId.current = newRequestId();
    setFailure(message);
  };

  return (
    <Dialog
      title={`${isVoid ? 'Void the payment of' : 'Refund'} ${payment.invoice_number}?`}
      confirmLabel={cents > 0 && cents <= maxCents ? `${verb} ${formatMoney(cents, 'USD')}` : verb}
      isDestructive
      busy={isBusy}
      failure={failure}
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    >
      <p>
        {isVoid ? (
          <>
            The whole <span className="money">{money}</span> is voided: the batch is still open, so the card is not
            charged. Payers cannot pay the invoice until you collect it again.
          </>
        ) : (
          <>
            <span className="money">{money}</span> is left of this payment. {isLimited && `${limit} `}The money goes
            back to the card it came from.
          </>
        )}
      </p>
      {!isVoid && (
        <Field
          id="reversal-amount"
          label="Amount"
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          error={errors.amount}
          onChange={({ target }) => {
            setAmount(target.value);
            setErrors(({ reason }) => (reason ? { reason } : {}));
          }}
        />
      )}
      <Field
        id="reversal-reason"
        label="Reason"
        hint="For your records. The customer does not see it."
        autoComplete="off"
        maxLength={merchantLimits.reason}
        value={reason}
        error={errors.reason}
        onChange={({ target }) => {
          setReason(target.value);
          setErrors(({ amount }) => (amount ? { amount } : {}));
        }}
      />
    </Dialog>
  );
}

/** `limit` is the sentence about this user's limit. */
type AmountLimits = { cents: number; remainingCents: number; maxCents: number; limit: string };

function validate({ cents, remainingCents, maxCents, limit }: AmountLimits, reason: string): FieldErrors {
  const remaining = formatMoney(remainingCents, 'USD');
  return {
    ...(cents <= 0 ? { amount: 'Please enter an amount like 71.10.' } : {}),
    ...(cents > maxCents ? { amount: limit } : {}),
    ...(cents > remainingCents ? { amount: `Up to ${remaining} is left of this payment.` } : {}),
    ...(reason.trim() === '' ? { reason: 'Please give a reason.' } : {}),
  };
}
