import { useState } from 'react';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { hasRight, readAppView } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';

const chargeCard = lazyScreen(() => import('./ChargeStoredCard.tsx').then((code) => code.ChargeStoredCard));

/** An open invoice in dollars. `balance` is decimal text. */
export type ChargeableInvoice = { id: string; number: string; balance: string };

export type ChargeProps = {
  /** The CRM's id of the customer. */
  contactId: string;
  /** The invoices that a card may be charged for. Without any, there is no button. */
  invoices: ChargeableInvoice[];
  /** Opens the email with the payment link, as another way to pay. Undefined if no link can be sent. */
  onSendLink?: ((invoiceId: string) => void) | undefined;
  /** Called when the invoices may have changed. */
  onInvoicesChanged(): void;
  /** Called when a card turns out to have ended. */
  onCardsChanged?: () => void;
};

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
