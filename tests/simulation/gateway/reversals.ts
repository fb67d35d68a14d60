import type { VendorStep, WireAnswer } from '../vendor.ts';
import { batchFor } from './batches.ts';
import type { Books, Entry } from './books.ts';
import { type GatewayCall, textOf } from './calls.ts';
import { answerCharge } from './charge-answers.ts';
import { answerRepeated, repeated, scopeOf } from './dedupe.ts';
import type { Fault } from './faults.ts';
import type { Author, InFlight } from './truth.ts';
import { tellTransaction } from './webhooks.ts';
import { centsOf, failure } from './wire.ts';

export type ReversalCall = GatewayCall & { call: 'void' | 'refund' };
export type Refusal = { status: number; code: string; message: string };
export type Wanted = {
  id: string;
  /** Null takes all that is left. */
  cents: number | null;
  orderId: string | null;
  invoice: string | null;
  by: Author;
};

const MINUTE = 60_000;

/** G19-G21: a void or a refund arrives; whether it may be is judged when it takes effect. */
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
      const take = call.call === 'void' ? voidEntry : refundEntry;
      const done = take(
        books,
        parent,
        { id, cents, orderId, invoice: invoice ?? parent.invoice, by: 'product' },
        fault,
      );
      return 'code' in done ? refuse(books, done) : answerCharge(books, done);
    },
  };
}

/** G20: the refund that this call repeats, where a run takes the check to work for refunds. */
function repeatedRefund(books: Books, call: ReversalCall, at: 'arrival' | 'commit'): Entry | null {
  if (call.call !== 'refund' || !books.knobs.dedupeRefunds || books.knobs.dedupe !== at) return null;
  const parent = books.byId(textOf(call.body, 'id') ?? '');
  if (!parent) return null;
  return repeated(books, {
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

/** G19: all or nothing, while the batch is open; of a refund as of a sale. */
export function voidEntry(books: Books, parent: Entry, wanted: Wanted, fault: Fault | null = null): Entry | Refusal {
  const batch = books.batches.find((each) => each.id === parent.batchId);
  if (!parent.isApproved || parent.type === 'VOID') return { status: 402, code: '027', message: 'Nothing to void' };
  if (parent.isVoided) return { status: 402, code: '024', message: 'Transaction already reversed' };
  if (parent.refundedCents > 0) return { status: 402, code: '013', message: 'Transaction has been refunded' };
  if (batch?.status !== 'OPEN')
    return { status: 402, code: books.knobs.voidTooLateCode, message: 'Transaction is not in an open batch' };

  parent.isVoided = true;
  books.record(parent);
  const refunded = parent.type === 'REFUND' && parent.parentId ? books.byId(parent.parentId) : undefined;
  if (refunded) {
    refunded.refundedCents -= parent.amountCents;
    books.record(refunded);
  }
  const entry = reversalOf(books, parent, 'VOID', parent.amountCents, wanted);
  entry.batchId = parent.batchId;
  keep(books, entry, fault);
  return entry;
}

/** G20: part or all of what is left, into the terminal's open batch. */
export function refundEntry(books: Books, parent: Entry, wanted: Wanted, fault: Fault | null = null): Entry | Refusal {
  const left = parent.amountCents - parent.refundedCents;
  const cents = wanted.cents ?? left;
  if (!parent.isApproved || parent.type !== 'SALE') return { status: 402, code: '027', message: 'Nothing to refund' };
  if (parent.isVoided) return { status: 402, code: '024', message: 'Transaction already reversed' };
  if (cents < 1 || cents > left) return { status: 402, code: '025', message: 'Over the refundable amount' };
  if (parent.settledAt === null && !books.knobs.refundInOpenBatch) {
    return { status: 402, code: '013', message: 'The batch is open, void instead' };
  }
  const entry = reversalOf(books, parent, 'REFUND', cents, wanted);
  entry.batchId = batchFor(books, parent.merchantId, parent.terminalId).id;
  parent.refundedCents += cents;
  books.record(parent);
  keep(books, entry, fault);
  return entry;
}

function reversalOf(books: Books, parent: Entry, type: 'VOID' | 'REFUND', cents: number, wanted: Wanted): Entry {
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
    orderId: wanted.orderId,
    invoice: wanted.invoice,
    askedCents: cents,
    amountCents: cents,
    refundedCents: 0,
    parentId: parent.id,
    copyOf: null,
    by: wanted.by,
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

function keep(books: Books, entry: Entry, fault: Fault | null): void {
  books.record(entry);
  tellTransaction(books, entry, fault);
}

function refuse(books: Books, refusal: Refusal): WireAnswer {
  return failure(books.nextExchange(), books.world.now(), refusal);
}
