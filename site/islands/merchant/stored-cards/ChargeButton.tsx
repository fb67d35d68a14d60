import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { hasRight, readAppView } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';
import type { ChargeProps } from './stored-cards.ts';

const chargeCard = lazyScreen(() => import('./ChargeStoredCard.tsx').then((code) => code.ChargeStoredCard));

/** True if the account keeps cards on file. */
export const keepsCards = (): boolean => readAppView().cardsOnFile;

/**
 * A button that charges a customer's card on file. It stays mounted after the charge, without the button, since it also
 * shows the outcome.
 */
export function ChargeButton(props: ChargeProps) {
  const [openedCount, setOpenedCount] = useState(0);
  if (!keepsCards() || !hasRight('collect')) return null;
  return (
    <>
      {props.invoices.length > 0 && (
        <Button onClick={() => setOpenedCount(openedCount + 1)}>Charge card on file</Button>
      )}
      {openedCount > 0 && <Lazy key={openedCount} screen={chargeCard} props={props} />}
    </>
  );
}
