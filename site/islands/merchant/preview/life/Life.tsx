import type { InvoicePreviewReply } from '../../../../../shared/contracts/preview.ts';
import { StatusSteps, type Stop } from '../../../ui/feedback/StatusSteps.tsx';
import { stopsOf } from './stops.ts';
import '../../../../styles/areas/merchant/life.css';

const HOLLOW: Stop[] = ['Sent', 'Opened', 'Paid', 'In a batch', 'Settled'].map((name) => ({ name, state: 'ahead' }));

/** The line of an invoice's life; without one, where it will be. */
export function Life({ invoice }: { invoice: InvoicePreviewReply | null }) {
  return (
    <div className="card life screen-only">
      <StatusSteps label="Life of this invoice" stops={invoice ? stopsOf(invoice) : HOLLOW} />
    </div>
  );
}
