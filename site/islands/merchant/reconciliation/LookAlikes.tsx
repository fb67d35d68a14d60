import type { CheckedPayment } from '#shared/contracts/payments/reconciliation';
import { formatCount } from '#shared/text/format-count';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { formatMoment } from '#site/islands/ui/format-moment.ts';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { markNotDuplicates } from './api.ts';
import type { Question } from './ResolveDialog.tsx';

const nameOf = ({ invoice_id: id, invoice_number: number }: CheckedPayment) => number || `Invoice ${id}`;

function PaymentHead({ payment }: { payment: CheckedPayment }) {
  const { invoice_id: id, customer, amount, at, card, terminal } = payment;
  return (
    <p className="difference-head">
      <AppLink href={`/invoice/${encodeURIComponent(id)}`}>{nameOf(payment)}</AppLink>
      <strong>
        <Money amount={amount} currency="USD" />
      </strong>
      <span>{[customer, card, terminal || 'online'].filter(Boolean).join(', ')}</span>
      <time dateTime={at}>{formatMoment(at)}</time>
    </p>
  );
}

/** Lists payments whose outcome will be determined automatically. */
export const UnconfirmedPayments = ({ payments }: { payments: CheckedPayment[] }) => (
  <section aria-labelledby="unknown-title" className="checks-part">
    <h3 id="unknown-title">Being confirmed</h3>
    <ul className="differences">
      {payments.map((payment) => (
        <li key={payment.payment_id} className="difference">
          <PaymentHead payment={payment} />
          <p>
            The card provider gave no clear answer. We keep asking, and there is nothing to decide yet. Do not take the
            payment again.
          </p>
        </li>
      ))}
    </ul>
  </section>
);

type Props = { groups: CheckedPayment[][]; onAsk(question: Question): void };

/** Lists groups of today's payments that may have been taken twice. */
export const LookAlikes = ({ groups, onAsk }: Props) => (
  <section aria-labelledby="alike-title" className="checks-part">
    <h3 id="alike-title">Payments of today that look alike</h3>
    <ul className="differences">
      {groups.map((group) => (
        <li key={group.map(({ payment_id }) => payment_id).join()} className="difference">
          {group.map((payment) => (
            <PaymentHead key={payment.payment_id} payment={payment} />
          ))}
          <p>
            The same amount by the same card within ten minutes. If one was taken by mistake, open its invoice and
            refund it.
          </p>
          {hasRight('reconcile') && (
            <p className="checks-actions">
              <Button size="sm" onClick={() => onAsk(questionAbout(group))}>
                Not a duplicate
                <span className="sr-only">: {[...new Set(group.map(nameOf))].join(', ')}</span>
              </Button>
            </p>
          )}
        </li>
      ))}
    </ul>
  </section>
);

const questionAbout = (group: CheckedPayment[]): Question => ({
  title: `Set these ${formatCount(group.length, 'payment')} aside?`,
  confirmLabel: 'Not a duplicate',
  consequence: 'They are no longer listed here, unless another payment looks like them. No money moves.',
  submit: (note) =>
    markNotDuplicates(
      group.map(({ payment_id }) => payment_id),
      note,
    ),
});
