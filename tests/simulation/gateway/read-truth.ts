import { withSums } from './batches.ts';
import type { Books, Entry } from './gateway-records.ts';
import type { Charge, ChargeState, Reversal, Truth } from './truth.ts';

/** Copies of all records of the gateway, in the types of truth.ts. */
export function readTruth(books: Books): Truth {
  const now = books.world.now();
  return {
    charges: books.entries.filter(isCharge).map((entry) => chargeOf(books, entry)),
    reversals: books.entries.filter((entry) => !isCharge(entry)).map((entry) => reversalOf(books, entry)),
    batches: books.batches.map((batch) => withSums(books, batch, now)),
    closes: books.closes.map((close) => ({ ...close })),
    inFlight: [...books.inFlight].map((flight) => ({ ...flight })),
    replays: books.replays.map((replay) => ({ ...replay })),
  };
}

const isCharge = (entry: Entry) => entry.type === 'SALE' || entry.type === 'DEBIT';

/** A debit on hold has moved no money yet, but may do so. */
const DEBIT_STATES: Record<NonNullable<Entry['ach']>, ChargeState> = {
  Pending: 'pending',
  Settling: 'settling',
  Settled: 'settled',
  Returned: 'returned',
  Cancelled: 'voided',
  'On Hold': 'pending',
};

function stateOf(entry: Entry): ChargeState {
  if (!entry.isApproved) return 'declined';
  if (entry.isVoided) return 'voided';
  if (!entry.ach) return 'approved';
  return DEBIT_STATES[entry.ach];
}

function unusualEndOf({ ach, isUnlisted }: Entry): Charge['unusualEnd'] {
  if (isUnlisted) return 'vanished';
  return ach === 'Cancelled' ? 'cancelled' : ach === 'On Hold' ? 'on hold' : null;
}

function chargeOf(books: Books, entry: Entry): Charge {
  const { id, method, merchantId, terminalId, orderId, invoice, requestedCents, amountCents, refundedCents } = entry;
  const { batchId, at, settledAt, returnedAt, returnCode, resultCode, copyOf } = entry;
  return {
    id,
    method,
    state: stateOf(entry),
    merchantId,
    terminalId,
    orderId,
    invoice,
    requestedCents,
    amountCents,
    unusualEnd: unusualEndOf(entry),
    refundedCents,
    batchId,
    at,
    settledAt,
    returnedAt,
    returnCode,
    resultCode,
    copyOf,
    visibleAt: books.visibleAt(id),
  };
}

function reversalOf(books: Books, entry: Entry): Reversal {
  const { id, by, amountCents, terminalId, orderId, invoice, batchId, at } = entry;
  const isVoid = entry.type === 'VOID';
  return {
    id,
    kind: isVoid ? 'void' : 'refund',
    ofId: entry.parentId ?? '',
    by,
    amountCents,
    terminalId,
    orderId,
    invoice,
    state: !entry.isApproved ? 'declined' : entry.isVoided ? 'voided' : 'approved',
    batchId,
    at,
    visibleAt: books.visibleAt(id),
  };
}
