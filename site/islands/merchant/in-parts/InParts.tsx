import { useId, useState } from 'react';
import type { InvoiceParts } from '#shared/contracts/parts';
import type { InvoicePreviewReply } from '#shared/contracts/preview';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { may } from '../parts/app-view.ts';
import { LoadFailure } from '../parts/LoadFailure.tsx';
import { useLoad } from '../parts/use-load.ts';
import { closeParts, fetchParts } from './api.ts';
import { dollars } from './dollars.ts';
import { Frozen } from './Frozen.tsx';
import { OpenParts } from './OpenParts.tsx';

export type InPartsProps = { invoice: InvoicePreviewReply; onChanged(): void };

/** How an invoice is paid in parts, or the way to let it be. */
export function InParts({ invoice, onChanged }: InPartsProps) {
  const headId = useId();
  return (
    <section className="screen-only" aria-labelledby={headId}>
      <h2 id={headId}>Payment in parts</h2>
      {invoice.parts.base === null ? (
        <OpenParts id={invoice.id} crmAllows={invoice.parts.crm_allows} onOpened={onChanged} />
      ) : (
        <Standing invoice={invoice} onChanged={onChanged} />
      )}
    </section>
  );
}

function Standing({ invoice: { id, parts }, onChanged }: InPartsProps) {
  const [changed, setChanged] = useState<InvoiceParts | null>(null);
  const load = useLoad(`parts ${id} ${parts.paid}`, 'Failed to fetch the parts of an invoice', () => fetchParts(id));
  const view = changed ?? load.value;
  const onDone = (now: InvoiceParts) => {
    setChanged(now);
    onChanged();
  };
  return (
    <>
      <LoadFailure lead="The parts could not be loaded." load={load} />
      {!view && load.isReading && <p className="app-quiet">Loading...</p>}
      {view && <Sums view={view} />}
      {view?.state === 'frozen' && <Frozen id={id} decision={view.decision} onDone={onDone} />}
      {view?.state === 'open' && view.range && may('configure') && (
        <div className="account-actions">
          <Act
            label="No more parts"
            title="No more parts?"
            verb="No more parts"
            run={() => closeParts(id)}
            done="What is left is paid at once now."
            onDone={onDone}
          >
            <p>{view.left && dollars(view.left)} is left. It is paid at once then; what was paid stays paid.</p>
          </Act>
        </div>
      )}
    </>
  );
}

function Sums({ view: { base, paid, left, range, deposit, only } }: { view: InvoiceParts }) {
  const rows: [string, string | null | undefined][] = [
    ['In all', base],
    ['Paid', paid],
    ['Left', left],
    ['Deposit', deposit],
    ['Smallest part', range?.least],
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
      {only && (
        <p className="app-quiet">
          Until tomorrow only {dollars(only)} is taken: the last attempt of that amount may still show up as charged.
        </p>
      )}
    </>
  );
}
