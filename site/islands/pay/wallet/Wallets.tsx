import { useCallback, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import type { WordsOf } from '#shared/words/bilingual';
import type { walletWords } from '#shared/words/pay-words';
import { type AppleSession, closeSheet, isAvailable, openSheet } from './apple-pay.ts';
import { googleBox } from './google-pay.ts';
import { readView } from './provider.ts';
import {
  findSignatureTick,
  findWalletBox,
  isProcessing,
  readForm,
  type SharedForm,
  subscribeForm,
} from './shared-form.ts';
import { useGooglePay } from './use-google-pay.ts';

type Words = WordsOf<typeof walletWords>;

/** Shows the buttons of the wallets that the payer's device offers, in the form's box for wallets. */
export function Wallets({ words }: { words: Words }) {
  const form = useSyncExternalStore(subscribeForm, readForm, () => undefined);
  // A form that is opened again has a new box.
  const [offer, setOffer] = useState<{ box: HTMLElement; hasApple: boolean } | null>(null);
  const [isUnsigned, setUnsigned] = useState(false);

  /** Returns true unless the payer must still tick the signature. In that case, it moves the focus there. */
  const checkSignature = useCallback((): boolean => {
    const tick = findSignatureTick();
    if (tick?.checked !== false) return true;
    setUnsigned(true);
    tick.addEventListener('change', () => setUnsigned(false), { once: true });
    tick.focus();
    return false;
  }, []);
  const google = useGooglePay(form, checkSignature, words.amountChanged);

  useEffect(() => {
    const box = findWalletBox();
    if (!form?.card || !box || box === offer?.box) return;
    const view = readView();
    const hasApple = view.applePay === true && isAvailable(view);
    // The form must know this at once, although Google's button appears later, since a signature that moves is lost.
    form.setHasWallet(hasApple || view.googlePay === true);
    setOffer({ box, hasApple });
  }, [form, offer]);

  const isShown = offer !== null && (offer.hasApple || google === 'offered');
  useEffect(() => {
    if (offer && (isShown || google === 'absent')) offer.box.hidden = !isShown;
  }, [offer, isShown, google]);

  if (!form || !isShown) return null;
  return createPortal(
    <>
      {offer.hasApple && <AppleButton form={form} words={words} checkSignature={checkSignature} />}
      {google === 'offered' && <GoogleButton />}
      <p role="status" className={isUnsigned ? 'field-error' : 'pay-or'}>
        {isUnsigned ? words.unsigned : words.or}
      </p>
    </>,
    offer.box,
  );
}

type AppleProps = { form: SharedForm; words: Words; checkSignature(): boolean };

function AppleButton({ form, words, checkSignature: checkTick }: AppleProps) {
  const session = useRef<AppleSession>(null);
  const { card, choice, submit } = form;

  // Closes the sheet when the form has rendered again and no payment is being processed.
  useEffect(() => {
    if (!form || isProcessing()) return;
    closeSheet(session.current);
    session.current = null;
  }, [form]);

  const pay = () => {
    if (isProcessing() || !card || !checkTick()) return;
    const onSession = (opened: AppleSession) => {
      session.current = opened;
    };
    submit({
      name: 'apple',
      // The form asks for a token only after it has checked the amount.
      requestToken: () =>
        choice
          ? openSheet({ view: readView(), card, choice, failureText: words.failed, onSession })
          : Promise.resolve({ ok: false, message: words.failed }),
    });
  };
  return (
    <button type="button" className="apple-pay" aria-label={words.applePay} onClick={pay}>
      <span>{words.applePay}</span>
    </button>
  );
}

/** Shows Google's button, which is moved here from its place in the built page. */
function GoogleButton() {
  const container = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = googleBox();
    const originalParent = box?.parentElement;
    if (!box || !originalParent) return;
    container.current?.appendChild(box);
    return () => void originalParent.appendChild(box);
  }, []);
  return <div className="google-pay" ref={container} />;
}
