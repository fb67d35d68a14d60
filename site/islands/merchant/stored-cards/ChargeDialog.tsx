import { useId, useRef, useState } from 'react';
import type { StoredCard } from '#shared/contracts/payments/stored-cards';
import { formatMoney, ONLINE_CURRENCY, parseCents, typedCents } from '#shared/money';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { Select } from '#site/islands/ui/form/Select.tsx';
import { formatDay } from '#site/islands/ui/format-moment.ts';
import { isUncertain } from '../common/uncertain-error.ts';
import { PartAmount } from '../installments/PartAmount.tsx';
import {
  type ChargeableInvoice,
  type ChargeOutcome,
  type ChargeRequest,
  describeStoredCard,
  sendCharge,
  storedCardName,
} from './stored-cards.ts';
import '#site/styles/areas/merchant/money/stored-cards.css';

type Props = {
  /** The cards that may be charged, at least one. */
  cards: StoredCard[];
  invoices: ChargeableInvoice[];
  onOutcome(outcome: ChargeOutcome): void;
  /** Called if the last charge got no reply, so that the invoices may have changed. */
  onUncertain(): void;
  onCancel(): void;
};

const money = (cents: number): string => formatMoney(cents, ONLINE_CURRENCY);

/** Asks for the invoice, the card and the amount, and charges the card after confirmation. */
export function ChargeDialog({ cards, invoices, onOutcome, onUncertain, onCancel }: Props) {
  const [cardId, setCardId] = useState(cards[0]?.id ?? '');
  const [invoiceId, setInvoiceId] = useState(invoices.length === 1 ? (invoices[0]?.id ?? '') : '');
  const [typedAmount, setTypedAmount] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  /** A charge that got no reply. It may have happened, so only this one can be sent again. */
  const [sent, setSent] = useState<ChargeRequest | null>(null);
  const key = useRef(crypto.randomUUID());

  const card = cards.find(({ id }) => id === cardId);
  const invoice = invoices.find(({ id }) => id === invoiceId);
  const amount = typedAmount ?? invoice?.balance ?? '';
  const cents = amount.trim() ? typedCents(amount.trim().replace(/^\$/, '')) : parseCents(invoice?.balance);

  const confirm = async () => {
    setFailure(null);
    if (!card || !invoice) return setFailure('Please choose an invoice.');
    if (!cents || cents <= 0) return setFailure('Please enter an amount like 71.10.');
    const request = sent ?? { card, invoice, cents, key: key.current };
    setBusy(true);
    const answer = await sendCharge(request);
    setBusy(false);
    if (answer.ok) return onOutcome({ request, charge: answer.value });
    const { error } = answer;
    if (isUncertain(error)) {
      setSent(request);
      return setFailure(`${error.message} The card may have been charged. If you try again, it is charged only once.`);
    }
    setSent(null);
    // The server accepts no charge with a key that it has refused.
    key.current = crypto.randomUUID();
    // Another amount may be accepted. All other refusals concern the invoice or the card.
    if (error.status === 422) return setFailure(error.message);
    onOutcome({ request, refusal: error });
  };
  const cancel = () => {
    if (sent) onUncertain();
    onCancel();
  };

  return (
    <Dialog
      title="Charge the card on file?"
      confirmLabel={sent ? 'Try again' : cents ? `Charge ${money(cents)}` : 'Charge'}
      busy={isBusy}
      failure={failure}
      onConfirm={() => void confirm()}
      onCancel={cancel}
    >
      {sent ? (
        <p>
          {money(sent.cents)} for {sent.invoice.number}, from {storedCardName(sent.card)}.
        </p>
      ) : (
        <>
          <InvoiceChoice
            invoices={invoices}
            selectedId={invoiceId}
            onChoose={(id) => {
              setInvoiceId(id);
              setTypedAmount(null);
            }}
          />
          {invoice && (
            <PartAmount
              key={invoice.id}
              id="charge-amount"
              invoiceId={invoice.id}
              part={amount}
              onPartChange={setTypedAmount}
            />
          )}
          <CardChoice cards={cards} selectedId={cardId} onChoose={setCardId} />
          {card && <Consent card={card} />}
        </>
      )}
    </Dialog>
  );
}

const describeInvoice = ({ number, balance }: ChargeableInvoice): string =>
  `${number}, ${money(parseCents(balance) ?? 0)}`;

type InvoiceChoiceProps = { invoices: ChargeableInvoice[]; selectedId: string; onChoose(id: string): void };

function InvoiceChoice({ invoices, selectedId, onChoose }: InvoiceChoiceProps) {
  const id = useId();
  if (invoices.length === 1) return invoices.map((invoice) => <p key={invoice.id}>{describeInvoice(invoice)} due</p>);
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Invoice
      </label>
      <Select id={id} value={selectedId} onChange={({ target }) => onChoose(target.value)}>
        <option value="">Choose an invoice</option>
        {invoices.map((invoice) => (
          <option key={invoice.id} value={invoice.id}>
            {describeInvoice(invoice)}
          </option>
        ))}
      </Select>
    </div>
  );
}

type CardChoiceProps = { cards: StoredCard[]; selectedId: string; onChoose(id: string): void };

function CardChoice({ cards, selectedId, onChoose }: CardChoiceProps) {
  const id = useId();
  if (cards.length === 1) return cards.map((card) => <p key={card.id}>{describeStoredCard(card)}</p>);
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        Card
      </label>
      <Select id={id} value={selectedId} onChange={({ target }) => onChoose(target.value)}>
        {cards.map((card) => (
          <option key={card.id} value={card.id}>
            {describeStoredCard(card)}
          </option>
        ))}
      </Select>
    </div>
  );
}

/** The words that the payer agreed to, so that staff can answer questions about the charge. */
const Consent = ({ card: { consent } }: { card: StoredCard }) => (
  <figure className="stored-card-consent">
    <figcaption>The customer agreed on {formatDay(consent.givenAt)}:</figcaption>
    <blockquote lang={consent.language}>{consent.words}</blockquote>
  </figure>
);
