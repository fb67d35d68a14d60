import { useState } from 'react';
import type { Device } from '#shared/contracts/staff/session';
import { formatMoney, parseCents } from '#shared/money';
import { formatCount } from '#shared/text/format-count';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { logFailure } from '../parts/use-load.tsx';
import { closeBatch, fetchClosing } from './api.ts';
import { BatchSum, type Closing, ClosingWarnings, describeFailure } from './ClosingFacts.tsx';

/** A terminal with the batch to close, or with the reason why none can be closed. */
export type Plan = { device: Device } & ({ closing: Closing } | { closing: null; reason: string });
type Step = { device: Device; closing: Closing };

/** Fetches the batch of each terminal, and the warnings that users should see before they close it. */
export const readPlans = (devices: Device[]): Promise<Plan[]> =>
  Promise.all(
    devices.map(async (device): Promise<Plan> => {
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

type Result = { tone: 'ok' | 'note' | 'warn' | 'bad'; text: string };

const tones = { closed: 'ok', processing: 'note', unknown: 'warn' } as const;

async function close({ device, closing: { batch } }: Step): Promise<Result> {
  const answer = await closeBatch(device.terminal_id, batch.id);
  if (answer.ok) return { tone: tones[answer.value.status], text: answer.value.message };
  logFailure('Failed to close batch', answer.error);
  const { isUnknown, text } = describeFailure(answer.error, batch.id);
  return { tone: isUnknown ? 'warn' : 'bad', text };
}

const netOfAll = (steps: Step[]): string | null => {
  const cents = steps.map(({ closing }) => parseCents(closing.batch['net-amount']));
  return cents.includes(null)
    ? null
    : formatMoney(
        cents.reduce<number>((sum, net) => sum + (net ?? 0), 0),
        'USD',
      );
};

const batches = (count: number) => formatCount(count, 'batch', 'batches');

/** Returns for example "2 of 3 batches are closed". Batches that are only being closed, or unknown, do not count. */
function describeResults(results: Result[], total: number): string {
  const closed = results.filter(({ tone }) => tone === 'ok').length;
  if (closed === total) {
    if (total === 2) return 'Both batches are closed';
    return total === 1 ? 'The batch is closed' : `All ${batches(total)} are closed`;
  }
  return `${closed} of ${batches(total)} ${closed === 1 ? 'is' : 'are'} closed`;
}

type Props = {
  plans: Plan[];
  /** Called when there is a result for each batch. */
  onClosed(): void;
  onEnd(): void;
};

/**
 * Asks for confirmation, closes the batch of each terminal separately, and shows each result. Each request names its
 * batch, so a repeated click cannot close the next batch.
 */
export function CloseAllDialog({ plans, onClosed, onEnd }: Props) {
  const [results, setResults] = useState<ReadonlyMap<string, Result> | 'closing' | null>(null);
  const steps = plans.filter((plan): plan is Step => plan.closing !== null);
  const net = netOfAll(steps);
  const closeAll = async () => {
    setResults('closing');
    const entries = await Promise.all(steps.map(async (step) => [step.device.terminal_id, await close(step)] as const));
    setResults(new Map(entries));
    onClosed();
  };
  const finalResults = results === 'closing' ? null : results;
  return (
    <Dialog
      title={
        finalResults ? describeResults([...finalResults.values()], steps.length) : `Close ${batches(steps.length)}?`
      }
      verb={finalResults ? 'Done' : `Close ${batches(steps.length)}`}
      cancel={finalResults ? null : 'Cancel'}
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

function PlanRow({ plan, result }: { plan: Plan; result: Result | undefined }) {
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
        <strong>{device.terminal_name}</strong>, batch {closing.batch.id}: <BatchSum batch={closing.batch} />
      </p>
      <ClosingWarnings unknown={closing.unknown} duplicates={closing.duplicates} />
    </>
  );
}
