import { useId, useState } from 'react';
import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';
import type { FrozenParts, InvoiceParts, PartVerdict } from '#shared/contracts/payments/parts';
import { partners } from '#shared/partners';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { may } from '../parts/app-view.ts';
import { RequireRight, RightHolders } from '../parts/RequireRight.tsx';
import { LoadFailure, useLoad } from '../parts/use-load.tsx';
import { closeParts, decideParts, dollars, fetchParts, OpenParts } from './OpenParts.tsx';

const CRM = partners.crm;

type Props = { id: string; decision: FrozenParts | null; onDone(parts: InvoiceParts): void };

/** Shows that the amount in the CRM has changed, and lets staff decide how much is owed. */
export function FrozenNotice({ id, decision, onDone }: Props) {
  if (!decision)
    return (
      <Banner tone="warn" lead={`The amount in ${CRM} has changed.`}>
        No more payments are taken until someone on your team confirms what is owed. {CRM} has no readable amount now:
        please try again later, and correct the amount there if this does not change.
      </Banner>
    );
  const { crm, ours: paidHere, contains, lacks } = decision;
  const choice = (verdict: PartVerdict, label: string, owed: string, text: string) => (
    <ConfirmedAction
      label={label}
      title={`${dollars(owed)} is owed?`}
      verb={`${dollars(owed)} is owed`}
      run={() => decideParts(id, verdict, owed)}
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
      <Banner tone="warn" lead={`The amount in ${CRM} has changed.`}>
        {CRM} shows {dollars(crm)}.{!isOnlyChoice && ` ${dollars(paidHere)} was paid here and is missing in ${CRM}.`}{' '}
        Payers are asked to contact you until someone on your team confirms what is owed.
      </Banner>
      <RequireRight right="configure" action="confirm what is owed">
        <div className="account-actions">
          {isOnlyChoice
            ? choice('contains', `${dollars(contains)} is owed`, contains, 'Payers can pay this amount then.')
            : choice(
                'contains',
                `${CRM} already contains our payments: ${dollars(contains)} is owed`,
                contains,
                `Press this if someone entered these payments in ${CRM}.`,
              )}
          {isOnlyChoice ? null : lacks.startsWith('-') ? (
            <p className="app-quiet">
              More was paid here than {CRM} shows. If our payments are missing there, correct it there.
            </p>
          ) : (
            choice(
              'lacks',
              `It does not: ${dollars(lacks)} is owed`,
              lacks,
              `Press this if the amount in ${CRM} changed for another reason. Payments taken here are subtracted from it.`,
            )
          )}
        </div>
      </RequireRight>
    </div>
  );
}

export type InPartsProps = { invoice: InvoicePreviewReply; onChanged(): void };

/** The state of an invoice's partial payments, or the form that allows them. */
export function InParts({ invoice, onChanged }: InPartsProps) {
  const headingId = useId();
  return (
    <section className="screen-only" aria-labelledby={headingId}>
      <h2 id={headingId}>Partial payments</h2>
      {invoice.parts.base === null ? (
        <OpenParts id={invoice.id} crmAllows={invoice.parts.crm_allows} onOpened={onChanged} />
      ) : (
        <PartsState invoice={invoice} onChanged={onChanged} />
      )}
    </section>
  );
}

function PartsState({ invoice: { id, parts }, onChanged }: InPartsProps) {
  const [changed, setChanged] = useState<InvoiceParts | null>(null);
  const load = useLoad(`parts ${id} ${parts.paid}`, 'Failed to fetch the parts of an invoice', () => fetchParts(id));
  const view = changed ?? load.value;
  const onDone = (updated: InvoiceParts) => {
    setChanged(updated);
    onChanged();
  };
  return (
    <>
      <LoadFailure lead="The parts could not be loaded." load={load} />
      {!view && load.isReading && <p className="app-quiet">Loading...</p>}
      {view && <Amounts view={view} />}
      {view?.state === 'frozen' && <FrozenNotice id={id} decision={view.decision} onDone={onDone} />}
      {view?.state === 'open' && view.range && !may('configure') && (
        <RightHolders right="configure" action="end the payment in parts" />
      )}
      {view?.state === 'open' && view.range && may('configure') && (
        <div className="account-actions">
          <ConfirmedAction
            label="Stop partial payments"
            title="Stop partial payments of this invoice?"
            verb="Stop partial payments"
            run={() => closeParts(id)}
            successText="The rest is now due in one payment."
            onDone={onDone}
          >
            <p>The remaining {view.left && dollars(view.left)} is then due in one payment. Earlier payments stay.</p>
          </ConfirmedAction>
        </div>
      )}
    </>
  );
}

function Amounts({
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
                <dd className="money">{dollars(amount)}</dd>
              </div>
            ),
        )}
      </dl>
      {lockedAmount && (
        <p className="app-quiet">
          Until tomorrow, only a payment of {dollars(lockedAmount)} is accepted: the last attempt with that amount may
          still turn out to be charged.
        </p>
      )}
    </>
  );
}
