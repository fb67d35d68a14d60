import { useState } from 'react';
import type { CloseBatchReply } from '#shared/contracts/payments/batches';
import type { Device } from '#shared/contracts/staff/session';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { logFailure } from '../common/use-load.tsx';
import { closeBatch } from './api.ts';
import { BatchTotals, type Closing, ClosingWarnings, describeFailure } from './ClosingFacts.tsx';

type Props = {
  device: Device;
  closing: Closing;
  onClosed(reply: CloseBatchReply): void;
  /** Called if the batch has been closed in the meantime. */
  onNoOpenBatch(): void;
  onCancel(): void;
};

/** Asks for confirmation before a batch is closed, and shows its contents. */
export function CloseBatchDialog({ device, closing, onClosed, onNoOpenBatch, onCancel }: Props) {
  const { batch, unknown, duplicates } = closing;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const closeAfterConfirmation = async () => {
    setBusy(true);
    setFailure(null);
    const answer = await closeBatch(device.terminal_id, batch.id);
    setBusy(false);
    if (answer.ok) return onClosed(answer.value);
    if (answer.error.code === 'conflict') return onNoOpenBatch();
    logFailure('Failed to close batch', answer.error);
    setFailure(describeFailure(answer.error, batch.id).text);
  };
  return (
    <Dialog
      title={`Close batch ${batch.id} on ${device.terminal_name}?`}
      confirmLabel="Close Batch"
      busy={isBusy}
      failure={failure}
      onConfirm={() => void closeAfterConfirmation()}
      onCancel={onCancel}
    >
      <p>
        <BatchTotals batch={batch} />. Payments in it can be refunded afterwards, but not voided.
      </p>
      <ClosingWarnings unknown={unknown} duplicates={duplicates} />
    </Dialog>
  );
}
