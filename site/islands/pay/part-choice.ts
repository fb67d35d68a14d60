import type { PayParts, PayView } from '#shared/contracts/payment';
import type { PaidTransaction } from '#shared/contracts/payment-status';
import { decimalFromCents, parseCents, typedCents } from '#shared/money';

export const PART_ID = 'pay-part';

/** What is paid now (cents); `part`: as it is asked for, none where it is all that is left. */
export type Chosen = { cents: number; part?: { amount: string } };

const centsOf = (amount: string | null) => parseCents(amount) ?? 0;

export const leftOf = ({ invoice }: Pick<PayView, 'invoice'>): number => centsOf(invoice.amountDue);

/** An amount that the payer typed: "$1,200", "46.5". Null: it is no part that is taken. */
export function typedPart(text: string, { range }: PayParts): Chosen | null {
  const cents = typedCents(text.replaceAll(/[$,\s]/g, ''));
  if (cents === null || !range) return null;
  return cents >= centsOf(range.least) && cents <= centsOf(range.most) ? chosen(cents) : null;
}

export const chosen = (cents: number): Chosen => ({ cents, part: { amount: decimalFromCents(cents) } });

/** What the form begins with: all that is left, or the one amount that is taken today. */
export function firstChoice(view: PayView): Chosen {
  const [left, only] = [leftOf(view), view.parts?.only];
  return only && centsOf(only) !== left ? chosen(centsOf(only)) : { cents: left };
}

/** Of a payment that was a part: its amount and what is left (cents). Null: it paid all that was due. */
export function partPaid(view: PayView, { amount }: PaidTransaction): { cents: number; left: number } | null {
  const [left, cents] = [leftOf(view), centsOf(amount)];
  return view.parts && cents < left ? { cents, left: left - cents } : null;
}
