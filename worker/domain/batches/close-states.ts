import type { BatchClose } from '#worker/data/schema/batches';
import type { StateRule } from '#worker/domain/state-rule';

/** As the alert has it: the list of batches is read each night. */
const LIMIT_MS = 26 * 3_600_000;

/** Every state of a batch's close: what may follow it, what ends it, by when, and what alerts if nothing does. */
export const closeStates = {
  sent: {
    exits: ['closed', 'processing', 'failed', 'unknown'],
    endedBy: 'The answer to its own call, or the list of batches once that answer must be lost.',
    limitMs: LIMIT_MS,
    alert: 'batch-close-unknown',
  },
  unknown: {
    exits: ['closed', 'processing', 'failed'],
    endedBy: 'The list of batches: closed, being closed, still open, or an hour later in the list no more.',
    limitMs: LIMIT_MS,
    alert: 'batch-close-unknown',
  },
  processing: {
    exits: ['closed', 'failed'],
    endedBy: 'The list of batches: closed, refused, or an hour later open again or in the list no more.',
    limitMs: LIMIT_MS,
    alert: 'batch-close-unknown',
  },
  failed: {
    exits: ['sent'],
    endedBy: 'An end, unless the batch is asked to be closed again.',
    limitMs: null,
    alert: null,
  },
  closed: { exits: [], endedBy: 'An end.', limitMs: null, alert: null },
} as const satisfies Record<BatchClose['state'], StateRule<BatchClose['state']>>;
