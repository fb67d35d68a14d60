import { useId } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import { decimalFromCents, formatMoney, parseCents } from '#shared/money';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { Money } from '#site/islands/ui/Money.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { transactionsAddress } from '../batches/api.ts';
import { reversalTexts } from '../refunds/reversal-texts.ts';
import { shortDay } from './Life.tsx';

type Props = { invoice: InvoicePreviewReply };

/** The billed, paid and refunded amounts, and the balance due. */
export function MoneyBox({ invoice: { life, properties } }: Props) {
  const headingId = useId();
  const { hs_amount_billed: billed, hs_balance_due: balance, hs_currency: currency } = properties;
  const [paid, refunded] = [parseCents(life.paid) ?? 0, parseCents(life.refunded) ?? 0];
  // Payments recorded only in the CRM are derived from the balance.
  const [billedCents, balanceCents] = [parseCents(billed), parseCents(balance)];
  const paidInCrm = billedCents === null ? null : Math.max(0, billedCents - (balanceCents ?? 0));
  const { unpaid_change: change } = properties;
  // If only HubSpot reports the invoice as paid, one row is enough.
  const isPaidOnlyInCrm = paid === 0 && properties.hs_invoice_status === 'paid';
  const elsewhereCents = isPaidOnlyInCrm ? 0 : (parseCents(properties.paid_elsewhere) ?? 0);
  const takenCents = paid > 0 || properties.hs_invoice_status !== 'paid' ? paid : paidInCrm;
  const rows = [
    { label: 'Billed', amount: billed, isSum: false },
    ...(elsewhereCents > 0
      ? [{ label: 'Paid elsewhere, according to HubSpot', amount: decimalFromCents(elsewhereCents), isSum: false }]
      : []),
    {
      label: paid > 0 && elsewhereCents > 0 ? 'Paid here' : 'Paid',
      amount: takenCents === null ? null : decimalFromCents(takenCents),
      isSum: Boolean(takenCents) && refunded === 0,
    },
    ...(refunded > 0
      ? [{ label: reversalTexts(life).totalLabel, amount: decimalFromCents(-refunded), isSum: false }]
      : []),
    ...(takenCents && refunded > 0
      ? [{ label: 'Paid after refunds', amount: decimalFromCents(takenCents - refunded), isSum: true }]
      : []),
    ...(change ? [{ label: 'Added later, not paid', amount: change, isSum: false }] : []),
    { label: life.undecided ? 'Balance due if not charged' : 'Balance due', amount: balance, isSum: !takenCents },
  ];
  return (
    <section className="screen-only" aria-labelledby={headingId}>
      <h2 id={headingId}>Money</h2>
      <dl className="preview-sums">
        {rows.map(({ label, amount, isSum }) => (
          <div key={label} className={isSum ? 'preview-sum' : undefined}>
            <dt>{label}</dt>
            <dd>
              <Money amount={amount} currency={currency} />
            </dd>
          </div>
        ))}
      </dl>
      {change && (
        <p role="note">
          HubSpot bills {formatMoney(parseCents(change) ?? 0, currency)} more since this invoice was paid here. It is
          closed to payers: send an invoice of its own for the rest.
        </p>
      )}
    </section>
  );
}

/** The refunds: amount, card, reason and staff member. */
export function Refunds({ invoice: { life, properties } }: Props) {
  const headingId = useId();
  if (life.given_back.length === 0) return null;
  const amountOf = (amount: string) => formatMoney(-(parseCents(amount) ?? 0), properties.hs_currency);
  return (
    <section className="screen-only" aria-labelledby={headingId}>
      <h2 id={headingId}>{reversalTexts(life).listLabel}</h2>
      <ul className="preview-facts">
        {life.given_back.map(({ id, kind, amount, card, reason, by, at, batch }) => (
          <li key={id}>
            <Icon name="arrowBack" size="sm" />
            <div>
              {amountOf(amount)} {kind === 'void' ? 'voided' : card && `to ${card}`}
              <small>{[reason && `“${reason}”`, by].filter(Boolean).join(', ')}</small>
              {batch && (
                <small>
                  in <AppLink href={transactionsAddress(batch.terminal_id, batch.id)}>batch {batch.id}</AppLink>
                </small>
              )}
            </div>
            <time dateTime={at}>{shortDay(at)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}
