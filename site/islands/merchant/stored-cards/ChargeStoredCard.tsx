import { useState } from 'react';
import { formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { usePoll } from '#site/islands/ui/api/use-poll.ts';
import { LateBanner } from '#site/islands/ui/feedback/LateBanner.tsx';
import { safeLink } from '../api/addresses.ts';
import { useLoad } from '../common/use-load.tsx';
import { ChargeDialog } from './ChargeDialog.tsx';
import {
  type ChargeableInvoice,
  type ChargeOutcome,
  type ChargeProps,
  describeStoredCard,
  fetchStoredCards,
  sendCharge,
  storedCardName,
} from './stored-cards.ts';

/** Refusals after which no charge of the card can succeed. */
const cardRefusals = ['card-removed', 'card-expired', 'cards-on-file-off', 'gateway-refused'];

/** Loads a customer's cards, lets staff charge one, and shows the outcome until it is closed. */
export function ChargeStoredCard(props: ChargeProps) {
  const { invoices, onSendLink, onInvoicesChanged } = props;
  // Take Payment may select another customer while the outcome is still shown.
  const [contactId] = useState(props.contactId);
  const load = useLoad(contactId, 'Failed to fetch the cards on file', () => fetchStoredCards(contactId));
  const [outcome, setOutcome] = useState<ChargeOutcome | null>(null);
  const [isCancelled, setCancelled] = useState(false);
  const show = (next: ChargeOutcome) => {
    setOutcome(next);
    if ('refusal' in next && cardRefusals.includes(next.refusal.code)) props.onCardsChanged?.();
    else if ('refusal' in next ? next.refusal.status < 500 : next.charge.state !== 'declined') onInvoicesChanged();
  };
  const cards = load.value;
  if (outcome) return <ChargeNotice outcome={outcome} onSendLink={onSendLink} onSettled={show} />;
  if (isCancelled || props.contactId !== contactId) return null;
  if (load.failure)
    return (
      <LateBanner tone="warn" role="alert" lead="The cards on file could not be loaded.">
        {load.failure.message}
      </LateBanner>
    );
  if (!cards)
    return (
      <p role="status" className="app-quiet app-waiting">
        Loading...
      </p>
    );
  const usableCards = cards.filter(({ usable }) => usable);
  const [onlyInvoice] = invoices.length === 1 ? invoices : [];
  if (usableCards.length === 0)
    return (
      <LateBanner
        tone="note"
        lead={cards.length === 0 ? 'This customer has no card on file.' : 'No card on file can be charged.'}
        actions={onlyInvoice && <SendLink invoice={onlyInvoice} onSendLink={onSendLink} />}
      >
        {cards.map((card) => `${describeStoredCard(card)}. `)}Customers can keep a card when they pay by link.
      </LateBanner>
    );
  return (
    <ChargeDialog
      cards={usableCards}
      invoices={invoices}
      onOutcome={show}
      onUncertain={onInvoicesChanged}
      onCancel={() => setCancelled(true)}
    />
  );
}

const POLL_MS = 3_000;

type NoticeProps = Pick<ChargeProps, 'onSendLink'> & {
  outcome: ChargeOutcome;
  onSettled(outcome: ChargeOutcome): void;
};

/** Shows the outcome of a charge. While it is unknown, the same call is repeated, which charges nothing. */
function ChargeNotice({ outcome, onSendLink, onSettled }: NoticeProps) {
  const { request } = outcome;
  const { card, invoice } = request;
  const charge = 'charge' in outcome ? outcome.charge : null;
  const poll = async (): Promise<boolean> => {
    const answer = await sendCharge(request);
    if (!answer.ok) {
      const isRefused = answer.error.status === 409;
      if (isRefused) onSettled({ request, refusal: answer.error });
      return isRefused;
    }
    if (answer.value.state !== 'unknown') onSettled({ request, charge: answer.value });
    return true;
  };
  usePoll(poll, charge?.state === 'unknown' ? POLL_MS : null);

  const money = formatMoney(charge?.amountCents ?? request.cents, ONLINE_CURRENCY);
  const name = storedCardName(card);
  if (charge?.state === 'unknown')
    return (
      <LateBanner key="unknown" tone="warn" role="alert" lead={`We do not know yet whether ${name} was charged.`}>
        {invoice.number}: do not take the {money} again. The card provider is being asked, and this message changes when
        it answers.
      </LateBanner>
    );
  if (charge?.state === 'approved') {
    const receipt = charge.receiptUrl && safeLink(new URL(charge.receiptUrl, window.location.origin).href);
    return (
      <LateBanner
        key="approved"
        tone="ok"
        lead={`Charged ${money} to ${name}.`}
        actions={
          receipt && (
            <a href={receipt} target="_blank" rel="noopener">
              View receipt
            </a>
          )
        }
      >
        {invoice.number}
        {charge.receiptTo && `: the receipt goes to ${charge.receiptTo}`}.
      </LateBanner>
    );
  }
  const refusal = 'refusal' in outcome ? outcome.refusal : null;
  const lead =
    refusal?.message ??
    (charge?.state === 'declined'
      ? `${name} was declined. Nothing was charged.`
      : `${name} was not charged: the card provider has no record of it.`);
  const isLinkNext = !refusal || cardRefusals.includes(refusal.code);
  return (
    <LateBanner
      key="failed"
      tone="bad"
      lead={lead}
      actions={isLinkNext && <SendLink invoice={invoice} onSendLink={onSendLink} />}
    >
      {invoice.number}, {money}. {charge?.message}
    </LateBanner>
  );
}

type SendLinkProps = Pick<ChargeProps, 'onSendLink'> & { invoice: ChargeableInvoice };

const SendLink = ({ invoice, onSendLink }: SendLinkProps) =>
  onSendLink && (
    <button type="button" className="text-button" onClick={() => onSendLink(invoice.id)}>
      Send a payment link
    </button>
  );
