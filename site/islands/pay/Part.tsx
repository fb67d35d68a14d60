import { useState } from 'react';
import type { PayParts, PayView } from '#shared/contracts/payment';
import { parseCents } from '#shared/money';
import { fill } from '#shared/words/both';
import { dateIn, moneyIn } from '#shared/words/formats';
import { Field } from '../ui/form/Field.tsx';
import { type Chosen, chosen, leftOf, PART_ID, typedPart } from './part-choice.ts';
import { usePayWords } from './words.ts';

type Way = 'full' | 'deposit' | 'other';
type Props = {
  view: PayView;
  parts: PayParts;
  readOnly: boolean;
  /** Pay was pressed with an amount that is not taken. */
  isWrong: boolean;
  /** Null: what stands in the field is no part that is taken. */
  onChoose(what: Chosen | null): void;
};

/** How much is paid now: all, the deposit, or an amount within what is taken. The server looks again. */
export function Part({ view, parts, readOnly, isWrong, onChoose }: Props) {
  const { language, part: words } = usePayWords();
  const [way, setWay] = useState<Way>('full');
  const [text, setText] = useState('');
  const { range, deposit, only, paid } = parts;
  const money = (cents: number) => moneyIn(language, cents, view.invoice.currency);
  const amount = (decimal: string) => money(parseCents(decimal) ?? 0);
  const left = leftOf(view);
  const { dueDate } = view.invoice;
  const leaves = (cents: number) =>
    dueDate
      ? fill(words.leavesDue, { left: money(cents), d: dateIn(language, dueDate) })
      : fill(words.leaves, { left: money(cents) });

  if (only) return <p className="pay-quiet">{fill(words.only, { only: amount(only) })}</p>;
  if (!range) return null;
  const ways: [Way, string, string?][] = [
    ['full', parseCents(paid) === 0 ? words.full : words.rest, money(left)],
    ...(deposit ? [['deposit', words.deposit, amount(deposit)] satisfies [Way, string, string]] : []),
    ['other', words.other],
  ];
  const go = (next: Way) => {
    setWay(next);
    if (next === 'full') onChoose({ cents: left });
    else onChoose(next === 'deposit' && deposit ? chosen(parseCents(deposit) ?? 0) : typedPart(text, parts));
  };
  const typed = typedPart(text, parts);
  return (
    <fieldset className="pay-group pay-part">
      <legend>
        <h2>{words.howMuch}</h2>
      </legend>
      {ways.map(([name, label, sum]) => (
        <label key={name} className="pay-tick">
          <input type="radio" name="pay-part" checked={way === name} disabled={readOnly} onChange={() => go(name)} />
          <span>
            {label} {sum && <b className="money">{sum}</b>}
          </span>
        </label>
      ))}
      {way === 'other' && (
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
              onChoose(typedPart(event.target.value, parts));
            }}
          />
          <p className="pay-quiet" role="status">
            {fill(words.least, { least: amount(range.least) })} {typed && leaves(left - typed.cents)}
          </p>
        </>
      )}
    </fieldset>
  );
}
