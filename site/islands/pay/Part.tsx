import { useState } from 'react';
import type { PayParts, PayView } from '#shared/contracts/payment';
import type { PaidTransaction } from '#shared/contracts/payments/payment-answers';
import { decimalFromCents, parseCents, typedCents } from '#shared/money';
import { fill } from '#shared/words/bilingual';
import { dateIn, moneyIn } from '#shared/words/formats';
import { Field } from '../ui/form/Field.tsx';
import { usePayWords } from './words.ts';

export const PART_ID = 'pay-part';

/** The amount to pay now in cents. `part` is the amount for the request, which is omitted for the full balance. */
export type ChosenAmount = { cents: number; part?: { amount: string } };

const centsOf = (amount: string | null) => parseCents(amount) ?? 0;

export const balanceOf = ({ invoice }: Pick<PayView, 'invoice'>): number => centsOf(invoice.amountDue);

/** Parses a typed amount, such as "$1,200" or "46.5". Null if it is not an accepted part. */
export function parsePart(text: string, { range }: PayParts): ChosenAmount | null {
  const cents = typedCents(text.replaceAll(/[$,\s]/g, ''));
  if (cents === null || !range) return null;
  return cents >= centsOf(range.least) && cents <= centsOf(range.most) ? chosenPart(cents) : null;
}

export const chosenPart = (cents: number): ChosenAmount => ({ cents, part: { amount: decimalFromCents(cents) } });

/** Returns the initial amount of the form: the full balance, or the only amount that is accepted now. */
export function initialAmount(view: PayView): ChosenAmount {
  const [balance, lockedAmount] = [balanceOf(view), view.parts?.only];
  return lockedAmount && centsOf(lockedAmount) !== balance ? chosenPart(centsOf(lockedAmount)) : { cents: balance };
}

/** Returns the amount of a partial payment and the remaining balance (cents), or null for a full payment. */
export function paidPartOf(view: PayView, { amount }: PaidTransaction): { cents: number; left: number } | null {
  const [balance, cents] = [balanceOf(view), centsOf(amount)];
  return view.parts && cents < balance ? { cents, left: balance - cents } : null;
}

type AmountOption = 'full' | 'deposit' | 'other';
type Props = {
  view: PayView;
  parts: PayParts;
  readOnly: boolean;
  /** True if the payer clicked Pay with an amount that is not accepted. */
  isInvalid: boolean;
  /** Called with null if the typed amount is not accepted. */
  onChoose(choice: ChosenAmount | null): void;
};

/**
 * Lets the payer choose between the full balance, the deposit, and another amount in the accepted range. The server
 * validates the amount again.
 */
export function AmountChoice({ view, parts, readOnly, isInvalid: isWrong, onChoose }: Props) {
  const { language, part: words } = usePayWords();
  const [option, setOption] = useState<AmountOption>('full');
  const [text, setText] = useState('');
  const { range, deposit, only: lockedAmount, paid } = parts;
  const money = (cents: number) => moneyIn(language, cents, view.invoice.currency);
  const amount = (decimal: string) => money(parseCents(decimal) ?? 0);
  const balance = balanceOf(view);
  const { dueDate } = view.invoice;
  const describeRemaining = (cents: number) =>
    dueDate
      ? fill(words.leavesDue, { left: money(cents), d: dateIn(language, dueDate) })
      : fill(words.leaves, { left: money(cents) });

  if (lockedAmount) return <p className="pay-quiet">{fill(words.only, { only: amount(lockedAmount) })}</p>;
  if (!range) return null;
  const options: [AmountOption, string, string?][] = [
    ['full', parseCents(paid) === 0 ? words.full : words.rest, money(balance)],
    ...(deposit ? [['deposit', words.deposit, amount(deposit)] satisfies [AmountOption, string, string]] : []),
    ['other', words.other],
  ];
  const selectOption = (next: AmountOption) => {
    setOption(next);
    if (next === 'full') onChoose({ cents: balance });
    else onChoose(next === 'deposit' && deposit ? chosenPart(parseCents(deposit) ?? 0) : parsePart(text, parts));
  };
  const typed = parsePart(text, parts);
  return (
    <fieldset className="pay-group pay-part">
      <legend>
        <h2>{words.howMuch}</h2>
      </legend>
      {options.map(([name, label, sum]) => (
        <label key={name} className="pay-tick">
          <input
            type="radio"
            name="pay-part"
            checked={option === name}
            disabled={readOnly}
            onChange={() => selectOption(name)}
          />
          <span>
            {label} {sum && <b className="money">{sum}</b>}
          </span>
        </label>
      ))}
      {option === 'other' && (
        <>
          <Field
            id={PART_ID}
            name="part"
            label={words.other}
            inputMode="decimal"
            autoComplete="off"
            value={text}
            readOnly={readOnly}
            error={
              isWrong && !typed
                ? fill(words.enter, { least: amount(range.least), most: amount(range.most) })
                : undefined
            }
            onChange={(event) => {
              setText(event.target.value);
              onChoose(parsePart(event.target.value, parts));
            }}
          />
          <p className="pay-quiet" role="status">
            {fill(words.least, { least: amount(range.least) })} {typed && describeRemaining(balance - typed.cents)}
          </p>
        </>
      )}
    </fieldset>
  );
}

/** Manages the amount that the payer has chosen. For an invoice without parts, it is the full balance. */
export function useChosenAmount(view: PayView) {
  const [choice, setChoice] = useState<ChosenAmount | null>(() => initialAmount(view));
  const [isInvalid, setInvalid] = useState(false);
  const chooseAmount = (next: ChosenAmount | null) => {
    setChoice(next);
    setInvalid(false);
  };
  /** Returns the amount. If it is not accepted, the field gets an error and the focus, and the result is null. */
  const validate = (): ChosenAmount | null => {
    setInvalid(!choice);
    if (!choice) document.getElementById(PART_ID)?.focus();
    return choice;
  };
  return { choice, isWrong: isInvalid, choose: chooseAmount, take: validate };
}
