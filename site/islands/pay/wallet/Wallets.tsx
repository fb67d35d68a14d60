import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { WordsOf } from '#shared/words/bilingual';
import type { walletWords } from '#shared/words/wallet-words';
import { close, isAvailable, openSheet, type Session } from './apple-pay.ts';
import { readForm, subscribeForm } from './shared-form.ts';

/** The tick of the signature, or the pad in its place. */
const SIGNATURE = '#pay-signature-tick, fieldset#pay-signature.signature';

type Props = { words: WordsOf<typeof walletWords> };

/** The button of Apple Pay, in the form's box for wallets, if the payer's device offers it. */
export function Wallets({ words }: Props) {
  const form = useSyncExternalStore(subscribeForm, readForm, () => undefined);
  // A form that opens again has another box.
  const [filledBox, setFilledBox] = useState<HTMLElement | null>(null);
  const session = useRef<Session>(null);

  useEffect(() => {
    if (!form?.box || !form.card || form.box === filledBox) return;
    const isOffered = isAvailable(form.view);
    form.box.hidden = !isOffered;
    form.setHasWallet(isOffered);
    setFilledBox(form.box);
  }, [form, filledBox]);

  const isProcessing = form?.processing === true;
  useEffect(() => {
    if (isProcessing) return;
    close(session.current);
    session.current = null;
  }, [isProcessing]);

  if (!form || !filledBox || form.box !== filledBox || filledBox.hidden) return null;
  const { view, card, choice, processing, submit } = form;
  const press = () => {
    if (processing || !card) return;
    const onSession = (opened: Session) => {
      session.current = opened;
    };
    const outcome = submit({
      // The form asks for a token only after it has checked the amount.
      requestToken: () =>
        choice
          ? openSheet({ view, card, choice, failed: words.failed, onSession })
          : Promise.resolve({ ok: false, message: words.failed }),
    });
    if (outcome === 'unsigned') document.querySelector<HTMLElement>(SIGNATURE)?.focus();
  };
  return createPortal(
    <>
      <button type="button" className="apple-pay" aria-label={words.applePay} onClick={press}>
        <span>{words.applePay}</span>
      </button>
      <p className="pay-or">{words.or}</p>
    </>,
    filledBox,
  );
}
