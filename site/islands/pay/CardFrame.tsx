import { useEffect, useLayoutEffect, useState } from 'react';
import type { PaymentMethod, PayView } from '#shared/contracts/payment';
import { fill } from '#shared/words/bilingual';
import { Button } from '../ui/form/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { CARD_FRAME_ID } from './card-options.ts';
import { type CardForm, cardFrame, openCardForm } from './card-sdk.ts';
import { usePayWords } from './words.ts';
import '#site/styles/parts/page/paper.css';

type Props = {
  sdk: PayView['sdk'];
  /** The title for the provider's frame, whose own title is in English. */
  title: string;
  /**
   * True if bank debits are not offered, for example for an invoice in parts. A debit that is returned after weeks
   * would reopen an invoice that was already paid.
   */
  isCardOnly: boolean;
  onFormChange(form: CardForm | null): void;
  onTypeChange(type: PaymentMethod): void;
  onRetry(): void;
};

export const focusCardFrame = () => {
  const target = cardFrame() ?? document.getElementById('pay-card');
  target?.focus();
  target?.scrollIntoView({ block: 'center' });
};

/** The provider's card form. A new `key` remounts it with empty fields. */
export function CardFrame({ sdk, title, isCardOnly, onFormChange: onForm, onTypeChange: onType, onRetry }: Props) {
  const { card: words, outcome } = usePayWords();
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');

  // This is a layout effect, since its clean-up must run while the provider's box is still in the page.
  useLayoutEffect(() => {
    if (!sdk.scriptUrl) return;
    let form: CardForm | null = null;
    let isUnmounted = false;
    onType('card');
    openCardForm(sdk, words, onType, isCardOnly).then(
      (opened) => {
        if (isUnmounted) return opened.destroy();
        form = opened;
        setState('ready');
        onForm(opened);
      },
      () => {
        if (!isUnmounted) setState('failed');
      },
    );
    return () => {
      isUnmounted = true;
      onForm(null);
      form?.destroy();
    };
  }, [sdk, isCardOnly, words, onForm, onType]);

  useEffect(() => {
    const box = document.getElementById(CARD_FRAME_ID);
    if (!box) return;
    const setTitle = () => {
      const frame = cardFrame();
      if (frame) frame.title = title;
    };
    setTitle();
    const observer = new MutationObserver(setTitle);
    observer.observe(box, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [title]);

  return (
    <div className="plate card-plate" id="pay-card" tabIndex={-1}>
      {state === 'loading' && (
        <div className="skeleton card-wait">
          <p role="status">{words.loading}</p>
          <span />
          <span />
        </div>
      )}
      {state === 'failed' && (
        <div className="card-failed" role="alert">
          <p className="card-failed-lead">
            <Icon name="warn" />
            {fill(words.failed, { provider: sdk.provider })}
          </p>
          <p>
            {outcome.notCharged} {words.checkConnection}
          </p>
          <Button onClick={onRetry}>{words.retry}</Button>
        </div>
      )}
      {/* The frame may already exist. With an empty string as content, hydration keeps the element's children. */}
      <div id={CARD_FRAME_ID}>{''}</div>
    </div>
  );
}
