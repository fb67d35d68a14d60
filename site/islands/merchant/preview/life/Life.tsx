import type { InvoicePreviewReply } from '#shared/contracts/preview';
import { StatusSteps, type Stop } from '#site/islands/ui/feedback/StatusSteps.tsx';
import { stopsOf } from './stops.ts';
import '#site/styles/areas/merchant/life.css';

const HOLLOW: Stop[] = ['Sent', 'Opened', 'Paid', 'In a batch', 'Settled'].map((name) => ({ name, state: 'ahead' }));

/** The line of an invoice's life; without one, where it will be. */
export function Life({ invoice }: { invoice: InvoicePreviewReply | null }) {
  return (
    <div className="card life screen-only">
      <StatusSteps label="Life of this invoice" stops={invoice ? stopsOf(invoice) : HOLLOW} />
    </div>
  );
}
