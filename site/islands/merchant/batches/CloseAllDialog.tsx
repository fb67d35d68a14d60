import { useState } from 'react';
import type { Device } from '#shared/contracts/staff/session';
import { formatMoney, parseCents } from '#shared/money';
import { formatCount } from '#shared/text/format-count';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { logFailure } from '../common/use-load.tsx';
import { closeBatch, fetchClosing } from './api.ts';
import { BatchTotals, type Closing, ClosingWarnings, describeFailure } from './ClosingFacts.tsx';

/** A terminal with the batch to close, or with the reason why none can be closed. */
export type ClosePlan = { device: Device } & ({ closing: Closing } | { closing: null; reason: string });
type CloseStep = { device: Device; closing: Closing };

/** Fetches the batch of each terminal, and the warnings that users should see before they close it. */
export const fetchPlans = (devices: Device[]): Promise<ClosePlan[]> =>
  Promise.all(
    devices.map(async (device): Promise<ClosePlan> => {
      const answer = await fetchClosing(device.terminal_id);
      if (!answer.ok) {
        logFailure('Failed to close batch', answer.error);
        return { device, closing: null, reason: `Its batch was not closed. ${answer.error.message}` };
      }
      const { batch } = answer.value;
      return batch
        ? { device, closing: { ...answer.value, batch } }
        : { device, closing: null, reason: 'There is no open batch to close.' };
    }),
  );

type CloseResult = { tone: 'ok' | 'note' | 'warn' | 'bad'; text: string };

const toneOf = { closed: 'ok', processing: 'note', unknown: 'warn' } as const;

async function closeStep({ device, closing: { batch } }: CloseStep): Promise<CloseResult> {
  const answer = await closeBatch(device.terminal_id, batch.id);
  if (answer.ok) return { tone: toneOf[answer.value.status], text: answer.value.message };
  logFailure('Failed to close batch', answer.error);
  const { isUnknown, text } = describeFailure(answer.error, batch.id);
  return { tone: isUnknown ? 'warn' : 'bad', text };
}

const netOfAll = (steps: CloseStep[]): string | null => {
  const cents = steps.map(({ closing }) => parseCents(closing.batch['net-amount']));
  return cents.includes(null)
    ? null
    : formatMoney(
        cents.reduce<number>((sum, net) => sum + (net ?? 0), 0),
        'USD',
      );
};

const countBatches = (count: number) => formatCount(count, 'batch', 'batches');

/** Returns for example "2 of 3 batches are closed". Batches that are only being closed, or unknown, do not count. */
function describeResults(results: CloseResult[], total: number): string {
  const closed = results.filter(({ tone }) => tone === 'ok').length;
  if (closed === total) {
    if (total === 2) return 'Both batches are closed';
    return total === 1 ? 'The batch is closed' : `All ${countBatches(total)} are closed`;
  }
  return `${closed} of ${countBatches(total)} ${closed === 1 ? 'is' : 'are'} closed`;
}

type Props = {
  plans: ClosePlan[];
  /** Called when there is a result for each batch. */
  onClosed(): void;
  onDismiss(): void;
};

/**
 * Asks for confirmation, closes the batch of each terminal separately, and shows each result. Each request names its
 * batch, so a repeated click cannot close the next batch.
 */
export function CloseAllDialog({ plans, onClosed, onDismiss: onEnd }: Props) {
  const [results, setResults] = useState<ReadonlyMap<string, CloseResult> | 'closing' | null>(null);
  const steps = plans.filter((plan): plan is CloseStep => plan.closing !== null);
  const net = netOfAll(steps);
  const closeAll = async () => {
    setResults('closing');
    const entries = await Promise.all(
      steps.map(async (step) => [step.device.terminal_id, await closeStep(step)] as const),
    );
    setResults(new Map(entries));
    onClosed();
  };
  const finalResults = results === 'closing' ? null : results;
  return (
    <Dialog
      title={
        finalResults
          ? describeResults([...finalResults.values()], steps.length)
          : `Close ${countBatches(steps.length)}?`
      }
      confirmLabel={finalResults ? 'Done' : `Close ${countBatches(steps.length)}`}
      cancelLabel={finalResults ? null : 'Cancel'}
      busy={results === 'closing'}
      failure={null}
      onConfirm={finalResults ? onEnd : () => void closeAll()}
      onCancel={onEnd}
    >
      {!finalResults && (
        <p>
          {net && (
            <>
              {steps.length === 1 ? 'Net' : 'Net of all'} <strong className="money">{net}</strong>.{' '}
            </>
          )}
          Payments in {steps.length === 1 ? 'it' : 'them'} can be refunded afterwards, but not voided.
        </p>
      )}
      <ul className="close-all" aria-live="polite">
        {plans.map((plan) => (
          <li key={plan.device.terminal_id}>
            <PlanRow plan={plan} result={finalResults?.get(plan.device.terminal_id)} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

function PlanRow({ plan, result }: { plan: ClosePlan; result: CloseResult | undefined }) {
  const { device, closing } = plan;
  if (result) {
    return (
      <Banner tone={result.tone} lead={device.terminal_name}>
        {result.text}
      </Banner>
    );
  }
  if (!closing) {
    return (
      <p>
        <strong>{device.terminal_name}</strong>: {plan.reason}
      </p>
    );
  }
  return (
    <>
      <p>
        <strong>{device.terminal_name}</strong>, batch {closing.batch.id}: <BatchTotals batch={closing.batch} />
      </p>
      <ClosingWarnings unknown={closing.unknown} duplicates={closing.duplicates} />
    </>
  );
}
