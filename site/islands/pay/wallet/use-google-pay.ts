import { useEffect, useRef, useState } from 'react';
import { decimalFromCents } from '#shared/money';
import type { TokenResult } from '../card-sdk.ts';
import {
  googleBox,
  hasEntries,
  isCancellation,
  isGoogleButton,
  isReady,
  noteFocus,
  redraw,
  sheetAmount,
} from './google-pay.ts';
import { listen, readView } from './provider.ts';
import { isProcessing, readForm, type SharedForm } from './shared-form.ts';

const POLL_MS = 250;
/** Google's script loads after the form. If it has drawn no button after this many polls, it never will. */
const POLLS = 80;
/** After this pause (ms), a typed amount counts as complete. */
const TYPED_MS = 500;

/** `pending` means that Google's button may still appear. */
type GoogleState = 'pending' | 'offered' | 'absent';

const chosenAmount = ({ choice }: Pick<SharedForm, 'choice'>) => choice && decimalFromCents(choice.cents);

/**
 * Connects Google Pay with the form. The provider's script draws the button, opens the sheet on a click and reports the
 * token. It may never report that the sheet was closed, so the form can be used while the sheet is open.
 * `checkSignature` returns false if the signature is missing. `changedText` is the message for a payer who changed the
 * amount while the sheet was open.
 */
export function useGooglePay(form: SharedForm | undefined, checkTick: () => boolean, changed: string): GoogleState {
  const [state, setState] = useState<GoogleState>('pending');
  /** The amount on the open sheet, or null if no sheet is open. */
  const openSheet = useRef<string>(null);
  const isOn = form !== undefined && readView().googlePay === true;
  const card = form?.card ?? null;
  const isBusy = form !== undefined && isProcessing();
  const amount = form ? chosenAmount(form) : null;

  useEffect(() => {
    if (!isOn || !card) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (left: number) => {
      const isOffered = await isReady(readView());
      if (isOver) return;
      if (isOffered || left === 0) return setState(isOffered ? 'offered' : 'absent');
      timer = setTimeout(poll, POLL_MS, left - 1);
    };
    void poll(POLLS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOn, card]);

  // Keeps the amount on the sheet equal to the chosen amount.
  useEffect(() => {
    if (state !== 'offered' || !card || amount === null || isBusy) return;
    const view = readView();
    const isOther = sheetAmount(view, card) !== amount;
    const box = googleBox();
    if (box) box.hidden = isOther && hasEntries(card);
    if (!isOther) return;
    const timer = setTimeout(() => {
      if (!hasEntries(card)) redraw(view, card, amount);
      else if (box) box.hidden = true;
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [state, card, amount, isBusy]);

  // The result of a sheet that is still open is ignored once any payment has started.
  useEffect(() => {
    if (isBusy) openSheet.current = null;
  }, [isBusy]);

  useEffect(() => {
    if (!isOn) return;
    /** Returns true if the form is complete, so that the sheet may open. */
    const press = (): boolean => {
      const current = readForm();
      if (!current?.card || isProcessing() || !checkTick() || current.submit({ name: 'google' }) !== 'ready')
        return false;
      const chosen = chosenAmount(current);
      if (chosen !== sheetAmount(readView(), current.card)) return false;
      openSheet.current = chosen;
      listen(current.card, (result, answer) => {
        const shown = openSheet.current;
        openSheet.current = null;
        const now = readForm();
        if (!now || shown === null || (!result.ok && isCancellation(answer)) || !checkTick()) return;
        const isSame = chosenAmount(now) === shown;
        const token: TokenResult = isSame || !result.ok ? result : { ok: false, message: changed };
        now.submit({ name: 'google', requestToken: () => Promise.resolve(token) });
      });
      return true;
    };
    const onClick = (event: MouseEvent) => {
      if (!isGoogleButton(event.target) || press()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const onBlur = () => {
      const entered = readForm()?.card;
      if (entered) noteFocus(entered);
    };
    addEventListener('click', onClick, true);
    addEventListener('blur', onBlur);
    return () => {
      removeEventListener('click', onClick, true);
      removeEventListener('blur', onBlur);
    };
  }, [isOn, checkTick, changed]);

  return isOn ? state : 'absent';
}
