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
  redrawButton,
  sheetAmountOf,
} from './google-pay.ts';
import { listenForResults, readView } from './provider.ts';
import { isProcessing, readForm, type SharedForm } from './shared-form.ts';

const POLL_MS = 250;
/** Google's script loads after the form. If it has drawn no button after this many polls, it never will. */
const MAX_POLLS = 80;
/** After this pause (ms), a typed amount counts as complete. */
const TYPING_PAUSE_MS = 500;

/** `pending` means that Google's button may still appear. */
type GoogleState = 'pending' | 'offered' | 'absent';

const chosenAmount = ({ choice }: Pick<SharedForm, 'choice'>) => choice && decimalFromCents(choice.cents);

/**
 * Connects Google Pay with the form. The provider's script draws the button, opens the sheet on a click and reports the
 * token. It may never report that the sheet was closed, so the form can be used while the sheet is open.
 * `checkSignature` returns false if the signature is missing. `changedText` is the message for a payer who changed the
 * amount while the sheet was open.
 */
export function useGooglePay(
  form: SharedForm | undefined,
  checkSignature: () => boolean,
  changedText: string,
): GoogleState {
  const [state, setState] = useState<GoogleState>('pending');
  /** The amount on the open sheet, or null if no sheet is open. */
  const openSheetAmount = useRef<string>(null);
  const isOn = form !== undefined && readView().googlePay === true;
  const card = form?.card ?? null;
  const isBusy = form !== undefined && isProcessing();
  const amount = form ? chosenAmount(form) : null;

  useEffect(() => {
    if (!isOn || !card) return;
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const poll = async (remainingPolls: number) => {
      const isOffered = await isReady(readView());
      if (isOver) return;
      if (isOffered || remainingPolls === 0) return setState(isOffered ? 'offered' : 'absent');
      timer = setTimeout(poll, POLL_MS, remainingPolls - 1);
    };
    void poll(MAX_POLLS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOn, card]);

  // Keeps the amount on the sheet equal to the chosen amount.
  useEffect(() => {
    if (state !== 'offered' || !card || amount === null || isBusy) return;
    const view = readView();
    const isOther = sheetAmountOf(view, card) !== amount;
    const box = googleBox();
    if (box) box.hidden = isOther && hasEntries(card);
    if (!isOther) return;
    const timer = setTimeout(() => {
      if (!hasEntries(card)) redrawButton(view, card, amount);
      else if (box) box.hidden = true;
    }, TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [state, card, amount, isBusy]);

  // The result of a sheet that is still open is ignored once any payment has started.
  useEffect(() => {
    if (isBusy) openSheetAmount.current = null;
  }, [isBusy]);

  useEffect(() => {
    if (!isOn) return;
    /** Returns true if the form is complete, so that the sheet may open. */
    const allowSheet = (): boolean => {
      const current = readForm();
      if (!current?.card || isProcessing() || !checkSignature() || current.submit({ name: 'google' }) !== 'ready')
        return false;
      const amountToPay = chosenAmount(current);
      if (amountToPay !== sheetAmountOf(readView(), current.card)) return false;
      openSheetAmount.current = amountToPay;
      listenForResults(current.card, (result, answer) => {
        const paidAmount = openSheetAmount.current;
        openSheetAmount.current = null;
        const latestForm = readForm();
        if (!latestForm || paidAmount === null || (!result.ok && isCancellation(answer)) || !checkSignature()) return;
        const isSame = chosenAmount(latestForm) === paidAmount;
        const token: TokenResult = isSame || !result.ok ? result : { ok: false, message: changedText };
        latestForm.submit({ name: 'google', requestToken: () => Promise.resolve(token) });
      });
      return true;
    };
    const onClick = (event: MouseEvent) => {
      if (!isGoogleButton(event.target) || allowSheet()) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    const onBlur = () => {
      const focusedForm = readForm()?.card;
      if (focusedForm) noteFocus(focusedForm);
    };
    addEventListener('click', onClick, true);
    addEventListener('blur', onBlur);
    return () => {
      removeEventListener('click', onClick, true);
      removeEventListener('blur', onBlur);
    };
  }, [isOn, checkSignature, changedText]);

  return isOn ? state : 'absent';
}
