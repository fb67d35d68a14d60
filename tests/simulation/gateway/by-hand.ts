import { returnDebit } from './ach.ts';
import { batchFor, closeBatch } from './batches.ts';
import type { Books, Entry } from './gateway-records.ts';
import { type ReversalRequest, refundEntry, voidEntry } from './reversals.ts';
import type { GatewayModel } from './truth.ts';
import { notifyTransaction } from './webhooks.ts';

/** G22: acts of a person in the provider's own pages. They have no order id, and the product is not asked. */
export function byHandAt(books: Books): GatewayModel['byHand'] {
  const makeRequest = (id: string, cents: number | null): ReversalRequest => ({
    id,
    cents,
    orderId: null,
    invoice: books.knobs.byHandKeepsInvoice ? (books.byId(id)?.invoice ?? null) : null,
    by: 'person',
  });
  const isDone = (result: object) => !('code' in result);

  return {
    void(id) {
      const parent = books.byId(id);
      return !!parent && parent.method !== 'ach' && isDone(voidEntry(books, parent, makeRequest(id, null)));
    },
    refund(id, amountCents) {
      const parent = books.byId(id);
      return !!parent && parent.method !== 'ach' && isDone(refundEntry(books, parent, makeRequest(id, amountCents)));
    },
    closeBatch: (terminalId) => closeBatch(books, terminalId, 'person').outcome !== 'nothing-open',
    sale(terminalId, amountCents, invoice) {
      const { merchant } = books.terminal(terminalId);
      const id = books.nextId();
      const entry: Entry = {
        id,
        type: 'SALE',
        method: 'card',
        isApproved: true,
        ach: null,
        isVoided: false,
        merchantId: merchant.merchantId,
        terminalId,
        orderId: null,
        invoice: invoice ?? null,
        requestedCents: amountCents,
        amountCents,
        refundedCents: 0,
        parentId: null,
        copyOf: null,
        by: 'person',
        batchId: batchFor(books, merchant.merchantId, terminalId).id,
        at: books.world.now(),
        settledAt: null,
        returnedAt: null,
        changedAt: books.world.now(),
        returnCode: null,
        resultCode: '000',
        message: 'Transaction approved',
        authorizationCode: `TAS${id.slice(-3)}`,
        lastFour: '1111',
        billing: null,
        holder: null,
      };
      books.record(entry);
      notifyTransaction(books, entry, null);
      return id;
    },
    returnDebit(id, code = 'R01') {
      const entry = books.byId(id);
      return !!entry && returnDebit(books, entry, code);
    },
  };
}
