import type { ReactNode } from 'react';
import type { Undecided as Payment, UndecidedReversal as Reversal } from '#shared/contracts/payments/reconciliation';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { RequireRight } from '../common/RequireRight.tsx';
import { resolvePayment, resolveReversal } from './api.ts';
import type { Question } from './ResolveDialog.tsx';

type AskProps = { onAsk(question: Question): void };
type Props = AskProps & { payments: Payment[]; reversals: Reversal[] };

/** Lists payments and reversals that staff must decide, with all known facts. */
export function UndecidedPayments({ payments, reversals, onAsk }: Props) {
  return (
    <section aria-labelledby="undecided-title" className="checks-part">
      <h3 id="undecided-title">Waiting for a decision</h3>
      {payments.length + reversals.length === 0 && <p>No payment is waiting for a decision.</p>}
      <ul className="differences">
        {payments.map((payment) => (
          <WaitingPayment key={payment.payment_id} payment={payment} onAsk={onAsk} />
        ))}
        {reversals.map((reversal) => (
          <WaitingReversal key={reversal.reversal_id} reversal={reversal} onAsk={onAsk} />
        ))}
      </ul>
    </section>
  );
}

const EXPLANATIONS: Record<Payment['held_for'], string> = {
  unknown: 'The card provider gave no clear answer when it was charged, and has given none since.',
  pending:
    'The bank debit was accepted, and the card provider does not show how it ended: it is missing there, cannot be read, or has been on its way for two weeks.',
  not_charged: 'The card provider showed no charge, so the invoice was opened again. Then it showed one after all.',
  cancelled: 'The sale was cancelled at the card reader. Then the card provider showed a charge after all.',
  timed_out: 'The sale ended at the card reader without a card. Then the card provider showed a charge after all.',
  declined: 'The payment was declined, and the payer was told so. Then the card provider showed a charge after all.',
  returned: 'The bank debit failed, and the invoice was opened again. Then the card provider showed it as paid.',
  lost: 'The card provider has this payment, but it was missing in our books. It was added and is waiting for your decision.',
};

function WaitingPayment({ payment, onAsk }: AskProps & { payment: Payment }) {
  const { payment_id: id, invoice_number: number } = payment;
  const subject = <Subject prefix="" item={payment} />;
  const title = `Was ${number} charged?`;
  return (
    <WaitingItem item={payment} label="">
      <p>{EXPLANATIONS[payment.held_for]}</p>
      <p>
        Look for {number} and <Money amount={payment.amount} currency="USD" /> at the card provider. If the charge is
        there, press It was charged. If it is not, press It was not charged. Until then, do not take it again.
      </p>
      <DecisionButtons
        number={number}
        onAsk={onAsk}
        questions={[
          {
            title,
            confirmLabel: 'It was charged',
            consequence: (
              <>
                The invoice is then paid with {subject}, and the receipt is sent. We ask the card provider first: it
                must show exactly this charge.
              </>
            ),
            submit: (note) => resolvePayment(id, 'charged', note),
          },
          {
            title,
            confirmLabel: 'It was not charged',
            consequence: (
              <>
                The invoice can then be paid again with {subject}. We ask the card provider first: it must show no money
                taken.
              </>
            ),
            submit: (note) => resolvePayment(id, 'not-charged', note),
          },
        ]}
      />
    </WaitingItem>
  );
}

function WaitingReversal({ reversal, onAsk }: AskProps & { reversal: Reversal }) {
  const { reversal_id: id, invoice_number: number, kind } = reversal;
  const title = `Did the ${kind} of ${number} happen?`;
  const subject = <Subject prefix={`The ${kind} of `} item={reversal} />;
  return (
    <WaitingItem item={reversal} label={kind === 'void' ? 'Void' : 'Refund'}>
      <p>
        {reversal.why || 'The card provider and our books contradict each other.'} Look for {number} at the card
        provider. If the money was refunded, press It happened. If it did not, press It did not happen.
      </p>
      <dl className="difference-facts">
        <FactRow name="Paid">
          <Money amount={reversal.paid} currency="USD" />
        </FactRow>
        <FactRow name="Refunded before">
          <Money amount={reversal.given_back} currency="USD" />
        </FactRow>
        <FactRow name="Asked by">{reversal.by || 'N/A'}</FactRow>
        <FactRow name="Reason">{reversal.reason || 'N/A'}</FactRow>
      </dl>
      <DecisionButtons
        number={number}
        onAsk={onAsk}
        questions={[
          {
            title,
            confirmLabel: 'It happened',
            consequence: (
              <>
                {subject} is then booked with the amount that the card provider shows, and the customer gets a corrected
                receipt. We ask the card provider first: a refund is never booked for more than was paid.
              </>
            ),
            submit: (note) => resolveReversal(id, 'happened', note),
          },
          {
            title,
            confirmLabel: 'It did not happen',
            consequence: (
              <>
                {subject} is then cancelled: the payment of <Money amount={reversal.paid} currency="USD" /> is as
                before, and can be refunded again. We ask the card provider first: it must show no refund that is
                missing in our books.
              </>
            ),
            submit: (note) => resolveReversal(id, 'not-happened', note),
          },
        ]}
      />
    </WaitingItem>
  );
}

/** The amount of the payment or reversal, and the customer if known. */
const Subject = ({
  prefix,
  item: { amount, customer },
}: {
  prefix: string;
  item: Pick<Payment, 'amount' | 'customer'>;
}) => (
  <>
    {prefix}
    <Money amount={amount} currency="USD" />
    {customer && ` (${customer})`}
  </>
);

type Item = Pick<Payment, 'invoice_id' | 'invoice_number' | 'amount' | 'customer' | 'since'>;

function WaitingItem({ item, label, children }: { item: Item; label: string; children: ReactNode }) {
  return (
    <li className="difference">
      <p className="difference-head">
        <AppLink href={`/invoice/${encodeURIComponent(item.invoice_id)}`}>{item.invoice_number}</AppLink>
        <strong>
          {label} <Money amount={item.amount} currency="USD" />
        </strong>
        <span>{item.customer}</span>
        <time dateTime={item.since}>{formatMoment(item.since)}</time>
      </p>
      {children}
    </li>
  );
}

function FactRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function DecisionButtons({ number, questions, onAsk }: AskProps & { number: string; questions: Question[] }) {
  return (
    <RequireRight right="administer" action="say which">
      <p className="checks-actions">
        {questions.map((question) => (
          <Button key={question.confirmLabel} size="sm" onClick={() => onAsk(question)}>
            {question.confirmLabel}
            <span className="sr-only"> {number}</span>
          </Button>
        ))}
      </p>
    </RequireRight>
  );
}
