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
/** Google's script loads after the form. Without a button after this many polls, there is none. */
const POLLS = 80;
/** The pause (ms) after which a typed amount is complete. */
const TYPED_MS = 500;

/** `pending`: Google's button may still appear. */
type GoogleState = 'pending' | 'offered' | 'absent';

const chosenAmount = ({ choice }: Pick<SharedForm, 'choice'>) => choice && decimalFromCents(choice.cents);

/**
 * Google Pay in the form. The provider's script draws the button, opens the sheet itself at a press, and reports the
 * token; a closed sheet may never be reported, so the form stays usable meanwhile. `checkTick`: false if the signature is
 * missing; `changed`: the message if the amount was changed while the sheet was open.
 */
export function useGooglePay(form: SharedForm | undefined, checkTick: () => boolean, changed: string): GoogleState {
  const [state, setState] = useState<GoogleState>('pending');
  /** The amount on the open sheet; null without one. */
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

  // The sheet must show the chosen amount.
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

  // A payment with a card, too, makes an open sheet void.
  useEffect(() => {
    if (isBusy) openSheet.current = null;
  }, [isBusy]);

  useEffect(() => {
    if (!isOn) return;
    /** True if the form is complete and the sheet may open. */
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
