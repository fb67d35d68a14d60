import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { WordsOf } from '#shared/words/bilingual';
import type { walletWords } from '#shared/words/wallet-words';
import { close, isAvailable, openSheet, readView, type Session } from './apple-pay.ts';
import { findBox, findTick, isProcessing, readForm, subscribeForm } from './shared-form.ts';

type Props = { words: WordsOf<typeof walletWords> };

/** The button of Apple Pay, in the form's box for wallets, if the payer's device offers it. */
export function Wallets({ words }: Props) {
  const form = useSyncExternalStore(subscribeForm, readForm, () => undefined);
  // A form that opens again has another box.
  const [filledBox, setFilledBox] = useState<HTMLElement | null>(null);
  const [isUnsigned, setUnsigned] = useState(false);
  const session = useRef<Session>(null);

  useEffect(() => {
    const box = findBox();
    if (!form?.card || !box || box === filledBox) return;
    const isOffered = isAvailable(readView());
    box.hidden = !isOffered;
    form.setHasWallet(isOffered);
    setFilledBox(box);
  }, [form, filledBox]);

  useEffect(() => {
    if (!form || isProcessing()) return;
    close(session.current);
    session.current = null;
  }, [form]);

  if (!form || !filledBox || filledBox.hidden) return null;
  const { card, choice, submit } = form;
  const press = () => {
    if (isProcessing() || !card) return;
    const tick = findTick();
    if (tick?.checked === false) {
      setUnsigned(true);
      tick.addEventListener('change', () => setUnsigned(false), { once: true });
      return tick.focus();
    }
    const onSession = (opened: Session) => {
      session.current = opened;
    };
    submit({
      // The form asks for a token only after it has checked the amount.
      requestToken: () =>
        choice
          ? openSheet({ view: readView(), card, choice, failed: words.failed, onSession })
          : Promise.resolve({ ok: false, message: words.failed }),
    });
  };
  return createPortal(
    <>
      <button type="button" className="apple-pay" aria-label={words.applePay} onClick={press}>
        <span>{words.applePay}</span>
      </button>
      <p role="status" className={isUnsigned ? 'field-error' : 'pay-or'}>
        {isUnsigned ? words.unsigned : words.or}
      </p>
    </>,
    filledBox,
  );
}
