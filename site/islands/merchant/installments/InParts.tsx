import { useId, useState } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import type { FrozenParts, InvoiceParts, PartVerdict } from '#shared/contracts/payments/installments';
import { partners } from '#shared/partners';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { hasRight } from '../common/app-view.ts';
import { RequireRight, RightHolders } from '../common/RequireRight.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { AllowPartsForm, decideParts, fetchParts, formatDollars, stopParts } from './OpenParts.tsx';

const CRM_NAME = partners.crm;

type Props = { id: string; decision: FrozenParts | null; onDone(parts: InvoiceParts): void };

/** Shows that the amount in the CRM has changed, and lets staff decide how much is owed. */
export function FrozenNotice({ id, decision, onDone }: Props) {
  if (!decision)
    return (
      <Banner tone="warn" lead={`The amount in ${CRM_NAME} has changed.`}>
        No more payments are taken until someone on your team confirms what is owed. {CRM_NAME} has no readable amount
        now: please try again later, and correct the amount there if this does not change.
      </Banner>
    );
  const { crm, ours: paidHere, contains, lacks } = decision;
  const choiceButton = (verdict: PartVerdict, label: string, owed: string, text: string) => (
    <ConfirmedAction
      label={label}
      title={`${formatDollars(owed)} is owed?`}
      confirmLabel={`${formatDollars(owed)} is owed`}
      runAction={() => decideParts(id, verdict, owed)}
      successText="Payers can pay again."
      onDone={onDone}
    >
      <p>{text}</p>
    </ConfirmedAction>
  );
  // If the CRM does not lack a payment, both choices are the same.
  const isOnlyChoice = contains === lacks;
  return (
    <div className="preview-changed">
      <Banner tone="warn" lead={`The amount in ${CRM_NAME} has changed.`}>
        {CRM_NAME} shows {formatDollars(crm)}.
        {!isOnlyChoice && ` ${formatDollars(paidHere)} was paid here and is missing in ${CRM_NAME}.`} Payers are asked
        to contact you until someone on your team confirms what is owed.
      </Banner>
      <RequireRight right="configure" action="confirm what is owed">
        <div className="account-actions">
          {isOnlyChoice
            ? choiceButton(
                'contains',
                `${formatDollars(contains)} is owed`,
                contains,
                'Payers can pay this amount then.',
              )
            : choiceButton(
                'contains',
                `${CRM_NAME} already contains our payments: ${formatDollars(contains)} is owed`,
                contains,
                `Press this if someone entered these payments in ${CRM_NAME}.`,
              )}
          {isOnlyChoice ? null : lacks.startsWith('-') ? (
            <p className="app-quiet">
              More was paid here than {CRM_NAME} shows. If our payments are missing there, correct it there.
            </p>
          ) : (
            choiceButton(
              'lacks',
              `It does not: ${formatDollars(lacks)} is owed`,
              lacks,
              `Press this if the amount in ${CRM_NAME} changed for another reason. Payments taken here are subtracted from it.`,
            )
          )}
        </div>
      </RequireRight>
    </div>
  );
}

export type InPartsProps = { invoice: InvoicePreviewReply; onChanged(): void };

/** The state of an invoice's partial payments, or the form that allows them. */
export function PartialPayments({ invoice, onChanged }: InPartsProps) {
  const headingId = useId();
  return (
    <section className="screen-only" aria-labelledby={headingId}>
      <h2 id={headingId}>Partial payments</h2>
      {invoice.parts.base === null ? (
        <AllowPartsForm id={invoice.id} crmAllows={invoice.parts.crm_allows} onOpened={onChanged} />
      ) : (
        <PartsState invoice={invoice} onChanged={onChanged} />
      )}
    </section>
  );
}

function PartsState({ invoice: { id, parts }, onChanged }: InPartsProps) {
  const [updatedView, setUpdatedView] = useState<InvoiceParts | null>(null);
  const load = useLoad(`parts ${id} ${parts.paid}`, 'Failed to fetch the parts of an invoice', () => fetchParts(id));
  const view = updatedView ?? load.value;
  const onDone = (updated: InvoiceParts) => {
    setUpdatedView(updated);
    onChanged();
  };
  return (
    <>
      <LoadFailure lead="The parts could not be loaded." load={load} />
      {!view && load.isLoading && <p className="app-quiet">Loading...</p>}
      {view && <PartAmounts view={view} />}
      {view?.state === 'frozen' && <FrozenNotice id={id} decision={view.decision} onDone={onDone} />}
      {view?.state === 'open' && view.range && !hasRight('configure') && (
        <RightHolders right="configure" action="end the payment in parts" />
      )}
      {view?.state === 'open' && view.range && hasRight('configure') && (
        <div className="account-actions">
          <ConfirmedAction
            label="Stop partial payments"
            title="Stop partial payments of this invoice?"
            confirmLabel="Stop partial payments"
            runAction={() => stopParts(id)}
            successText="The rest is now due in one payment."
            onDone={onDone}
          >
            <p>
              The remaining {view.left && formatDollars(view.left)} is then due in one payment. Earlier payments stay.
            </p>
          </ConfirmedAction>
        </div>
      )}
    </>
  );
}

function PartAmounts({
  view: { base, paid, left: remaining, range, deposit, only: lockedAmount },
}: {
  view: InvoiceParts;
}) {
  const rows: [string, string | null | undefined][] = [
    ['Total', base],
    ['Paid', paid],
    ['Remaining', remaining],
    ['Deposit', deposit],
    ['Smallest payment', range?.least],
  ];
  return (
    <>
      <dl className="preview-sums">
        {rows.map(
          ([label, amount]) =>
            amount && (
              <div key={label}>
                <dt>{label}</dt>
                <dd className="money">{formatDollars(amount)}</dd>
              </div>
            ),
        )}
      </dl>
      {lockedAmount && (
        <p className="app-quiet">
          Until tomorrow, only a payment of {formatDollars(lockedAmount)} is accepted: the last attempt with that amount
          may still turn out to be charged.
        </p>
      )}
    </>
  );
}
