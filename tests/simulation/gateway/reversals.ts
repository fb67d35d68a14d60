import type { VendorStep, WireAnswer } from '../vendor.ts';
import { batchFor } from './batches.ts';
import { type GatewayCall, textOf } from './calls.ts';
import { answerCharge } from './charge-answers.ts';
import { answerRepeated, findRepeated, scopeOf } from './dedupe.ts';
import type { Fault } from './faults.ts';
import type { Books, Entry } from './gateway-records.ts';
import type { Author, InFlight } from './truth.ts';
import { notifyTransaction } from './webhooks.ts';
import { centsOf, failure } from './wire.ts';

export type ReversalCall = GatewayCall & { call: 'void' | 'refund' };
export type Refusal = { status: number; code: string; message: string };
export type ReversalRequest = {
  id: string;
  /** Null: all that is left. */
  cents: number | null;
  orderId: string | null;
  invoice: string | null;
  by: Author;
};

const MINUTE = 60_000;

/** G19-G21: a void or a refund arrives; the gateway checks it when it takes effect. */
export function arriveReversal(books: Books, call: ReversalCall, fault: Fault | null): WireAnswer | VendorStep {
  const id = textOf(call.body, 'id');
  const cents = call.body.amount === undefined ? null : centsOf(call.body.amount);
  if (!id) return refuse(books, { status: 400, code: '003', message: 'The transaction id is missing' });
  if (call.body.amount !== undefined && !cents) {
    return refuse(books, { status: 400, code: '041', message: 'The amount is not valid' });
  }
  const now = books.world.now();
  const afterMs = books.draw(books.knobs.processMs) + (fault === 'late' ? books.draw([MINUTE, 20 * MINUTE]) : 0);
  const [orderId, invoice] = [textOf(call.body, 'order-id'), textOf(call.body, 'invoice')];
  const earlier = repeatedRefund(books, call, 'arrival');
  if (earlier) return answerRepeated(books, { orderId, invoice }, earlier);
  const flight: InFlight = {
    call: call.call,
    terminalId: call.terminal.terminalId,
    orderId,
    invoice,
    amountCents: cents,
    arrivedAt: now,
    commitsAt: now + afterMs,
  };
  books.inFlight.add(flight);
  return {
    afterMs,
    run() {
      books.inFlight.delete(flight);
      const parent = books.byId(id);
      if (!parent || parent.merchantId !== call.merchant.merchantId || parent.method === 'ach') {
        return refuse(books, { status: 402, code: '027', message: 'Original transaction not found' });
      }
      if (fault === 'declined') return refuse(books, { status: 402, code: '023', message: 'Declined by the issuer' });
      const original = repeatedRefund(books, call, 'commit');
      if (original) return answerRepeated(books, { orderId, invoice }, original);
      const reverse = call.call === 'void' ? voidEntry : refundEntry;
      const result = reverse(
        books,
        parent,
        { id, cents, orderId, invoice: invoice ?? parent.invoice, by: 'product' },
        fault,
      );
      return 'code' in result ? refuse(books, result) : answerCharge(books, result);
    },
  };
}

/** G20: the refund that this call repeats, if the run's duplicate check covers refunds. */
function repeatedRefund(books: Books, call: ReversalCall, at: 'arrival' | 'commit'): Entry | null {
  if (call.call !== 'refund' || !books.knobs.dedupeRefunds || books.knobs.dedupe !== at) return null;
  const parent = books.byId(textOf(call.body, 'id') ?? '');
  if (!parent) return null;
  return findRepeated(books, {
    type: 'REFUND',
    method: parent.method,
    merchantId: parent.merchantId,
    terminalId: parent.terminalId,
    cents: centsOf(call.body.amount) ?? parent.amountCents,
    orderId: textOf(call.body, 'order-id'),
    lastFour: parent.lastFour,
    invoice: textOf(call.body, 'invoice'),
    billing: null,
    holder: null,
    dedupe: scopeOf(call.body),
  });
}

/** G19: voids a sale or a refund in full while its batch is open. */
export function voidEntry(
  books: Books,
  parent: Entry,
  request: ReversalRequest,
  fault: Fault | null = null,
): Entry | Refusal {
  const batch = books.batches.find(({ id }) => id === parent.batchId);
  if (!parent.isApproved || parent.type === 'VOID') return { status: 402, code: '027', message: 'Nothing to void' };
  if (parent.isVoided) return { status: 402, code: '024', message: 'Transaction already reversed' };
  if (parent.refundedCents > 0) return { status: 402, code: '013', message: 'Transaction has been refunded' };
  if (batch?.status !== 'OPEN')
    return { status: 402, code: books.knobs.voidTooLateCode, message: 'Transaction is not in an open batch' };

  parent.isVoided = true;
  books.record(parent);
  const refundedSale = parent.type === 'REFUND' && parent.parentId ? books.byId(parent.parentId) : undefined;
  if (refundedSale) {
    refundedSale.refundedCents -= parent.amountCents;
    books.record(refundedSale);
  }
  const entry = reversalOf(books, parent, 'VOID', parent.amountCents, request);
  entry.batchId = parent.batchId;
  recordReversal(books, entry, fault);
  return entry;
}

/** G20: refunds part or all of the rest, in the terminal's open batch. */
export function refundEntry(
  books: Books,
  parent: Entry,
  request: ReversalRequest,
  fault: Fault | null = null,
): Entry | Refusal {
  const remaining = parent.amountCents - parent.refundedCents;
  const cents = request.cents ?? remaining;
  if (!parent.isApproved || parent.type !== 'SALE') return { status: 402, code: '027', message: 'Nothing to refund' };
  if (parent.isVoided) return { status: 402, code: '024', message: 'Transaction already reversed' };
  if (cents < 1 || cents > remaining) return { status: 402, code: '025', message: 'Over the refundable amount' };
  if (parent.settledAt === null && !books.knobs.refundInOpenBatch) {
    return { status: 402, code: '013', message: 'The batch is open, void instead' };
  }
  const entry = reversalOf(books, parent, 'REFUND', cents, request);
  entry.batchId = batchFor(books, parent.merchantId, parent.terminalId).id;
  parent.refundedCents += cents;
  books.record(parent);
  recordReversal(books, entry, fault);
  return entry;
}

function reversalOf(
  books: Books,
  parent: Entry,
  type: 'VOID' | 'REFUND',
  cents: number,
  request: ReversalRequest,
): Entry {
  const id = books.nextId();
  return {
    id,
    type,
    method: parent.method,
    isApproved: true,
    ach: null,
    isVoided: false,
    merchantId: parent.merchantId,
    terminalId: parent.terminalId,
    orderId: request.orderId,
    invoice: request.invoice,
    requestedCents: cents,
    amountCents: cents,
    refundedCents: 0,
    parentId: parent.id,
    copyOf: null,
    by: request.by,
    batchId: null,
    at: books.world.now(),
    settledAt: null,
    returnedAt: null,
    changedAt: books.world.now(),
    returnCode: null,
    resultCode: '000',
    message: 'Transaction approved',
    authorizationCode: `TAS${id.slice(-3)}`,
    lastFour: parent.lastFour,
    billing: parent.billing,
    holder: null,
  };
}

function recordReversal(books: Books, entry: Entry, fault: Fault | null): void {
  books.record(entry);
  notifyTransaction(books, entry, fault);
}

function refuse(books: Books, refusal: Refusal): WireAnswer {
  return failure(books.nextExchange(), books.world.now(), refusal);
}
