import { useEffect, useState } from 'react';
import type { InvoiceParts } from '#shared/contracts/payments/installments';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { fetchParts, formatDollars } from './OpenParts.tsx';

type Props = { invoiceId: string; part: string; onPartChange(part: string): void };

/** A field for the part of an invoice that is paid at the desk now. An empty field means the whole remaining amount. */
export function PartAmount({ invoiceId, part, onPartChange: onPart }: Props) {
  const [parts, setParts] = useState<InvoiceParts | null>(null);
  useEffect(() => {
    let isCancelled = false;
    void fetchParts(invoiceId).then((answer) => {
      if (!isCancelled && answer.ok) setParts(answer.value);
    });
    return () => {
      isCancelled = true;
    };
  }, [invoiceId]);
  if (parts?.state !== 'open' || (!parts.range && !parts.only)) return null;
  const { left: remaining, range, only: lockedAmount } = parts;
  const hint = lockedAmount
    ? `Until tomorrow only ${formatDollars(lockedAmount)} is taken, the amount of the last attempt.`
    : range &&
      `Leave it empty for the remaining ${remaining && formatDollars(remaining)}, or enter ${formatDollars(range.least)} to ${formatDollars(range.most)}.`;
  return (
    <Field
      id="take-part"
      label="Amount to take now"
      optional="(optional)"
      hint={hint ?? ''}
      inputMode="decimal"
      autoComplete="off"
      value={part}
      onChange={({ target }) => onPart(target.value)}
    />
  );
}
