import { useEffect, useLayoutEffect, useState } from 'react';
import type { PaymentMethod, PayView } from '../../../shared/contracts/payment.ts';
import { Button } from '../ui/form/Button.tsx';
import { Icon } from '../ui/Icon.tsx';
import { CARD_FRAME_ID, type CardForm, openCardForm } from './card-sdk.ts';
import { NOT_CHARGED } from './phase.ts';
import '../../styles/parts/page/paper.css';

type Props = {
  sdk: PayView['sdk'];
  onForm(form: CardForm | null): void;
  onType(type: PaymentMethod): void;
  onRetry(): void;
};

const frame = () => document.getElementById(CARD_FRAME_ID)?.querySelector('iframe') ?? null;

export const focusCardFrame = () => {
  const target = frame() ?? document.getElementById('pay-card');
  target?.focus();
  target?.scrollIntoView({ block: 'center' });
};

/** A new `key` mounts it again, with empty fields. */
export function CardFrame({ sdk, onForm, onType, onRetry }: Props) {
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');

  // A layout effect, since its clean-up runs while the provider's box is still in the page.
  useLayoutEffect(() => {
    if (!sdk.scriptUrl) return;
    let form: CardForm | null = null;
    let isGone = false;
    onType('card');
    openCardForm(sdk, onType).then(
      (opened) => {
        if (isGone) return opened.destroy();
        form = opened;
        setState('ready');
        onForm(opened);
      },
      () => {
        if (!isGone) setState('failed');
      },
    );
    return () => {
      isGone = true;
      onForm(null);
      form?.destroy();
    };
  }, [sdk, onForm, onType]);

  useEffect(() => {
    const box = document.getElementById(CARD_FRAME_ID);
    if (!box) return;
    const name = () => {
      const found = frame();
      if (found && !found.title) found.title = 'Card details';
    };
    name();
    const watch = new MutationObserver(name);
    watch.observe(box, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, []);

  return (
    <div className="plate paper card-plate" id="pay-card" tabIndex={-1}>
      {state === 'loading' && (
        <div className="skeleton card-wait">
          <p role="status">Loading...</p>
          <span />
          <span />
        </div>
      )}
      {state === 'failed' && (
        <div className="card-failed" role="alert">
          <p className="card-failed-lead">
            <Icon name="warn" />
            {`Failed to load ${sdk.provider} SDK`}
          </p>
          <p>{NOT_CHARGED} Check your connection, then press Retry.</p>
          <Button onClick={onRetry}>Retry</Button>
        </div>
      )}
      <div id={CARD_FRAME_ID} />
    </div>
  );
}
