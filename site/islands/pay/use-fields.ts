import { type FocusEvent, type RefObject, useState } from 'react';
import { isMissing, type PayField, payFields } from '#shared/contracts/payment';
import type { PayPageWords } from '#shared/words/pay-page';

export type TextField = Exclude<PayField, 'signature'>;
export type Values = Record<TextField, string>;

export const textFields = (Object.keys(payFields) as PayField[]).filter(
  (name): name is TextField => name !== 'signature',
);

/**
 * The inputs keep their own text, so that text typed before the script ran is not lost. Checked on submit; after that,
 * each field when it loses the focus.
 */
export function useFields(form: RefObject<HTMLFormElement | null>, words: PayPageWords['empty']) {
  const errorOf = (name: TextField, value: string) => (isMissing(name, value) ? words[name] : undefined);
  const [errors, setErrors] = useState<Partial<Values> | null>(null);

  /** `only`: the fields that count now. */
  const check = (only: readonly TextField[] = textFields) => {
    const data = form.current ? new FormData(form.current) : null;
    const values = Object.fromEntries(textFields.map((name) => [name, String(data?.get(name) ?? '').trim()])) as Values;
    const found: Partial<Values> = {};
    for (const name of only) {
      const error = errorOf(name, values[name]);
      if (error) found[name] = error;
    }
    setErrors(found);
    return { values, missing: textFields.filter((name) => found[name]) };
  };
  const onBlur = (event: FocusEvent<HTMLInputElement>) => {
    const name = event.target.name as TextField;
    const error = errorOf(name, event.target.value);
    setErrors((before) => before && { ...before, [name]: error });
  };
  return { errors: errors ?? {}, check, onBlur };
}
