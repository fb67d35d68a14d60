import { useEffect, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { isProcessing, readForm, subscribeForm } from '../shared-form.ts';

/** The ids of the elements with the offer's texts, which the Worker fills: the server stores these words as consent. */
export const OFFER_ID = 'keep-card-offer';
export const TERMS_ID = 'keep-card-terms';
/** The form finds the checkbox by this id. */
const CHECKBOX_ID = 'pay-keepCard';

const findBox = () => document.querySelector<HTMLElement>('.pay-keep');
const readText = (id: string) => document.getElementById(id)?.textContent;

/**
 * Offers to keep the card, in the form's box for it. It is a separate island, which loads only if the business keeps
 * cards. The checkbox is never ticked at first: not on a form that was opened again, and not after a change between a
 * card and a bank account, for which the form has no box.
 */
export function KeepCard() {
  const form = useSyncExternalStore(subscribeForm, readForm, () => undefined);
  const [box, setBox] = useState<HTMLElement | null>(null);
  useEffect(() => setBox(form ? findBox() : null), [form]);

  if (!box) return null;
  return createPortal(
    <>
      <label className="pay-tick">
        <input type="checkbox" id={CHECKBOX_ID} disabled={isProcessing()} aria-describedby="pay-keepCard-terms" />
        <span>{readText(OFFER_ID)}</span>
      </label>
      <p className="pay-quiet" id="pay-keepCard-terms">
        {readText(TERMS_ID)}
      </p>
    </>,
    box,
  );
}
