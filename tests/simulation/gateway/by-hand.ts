import { returnDebit } from './ach.ts';
import { batchFor, closeBatch } from './batches.ts';
import type { Books, Entry } from './books.ts';
import { refundEntry, voidEntry, type Wanted } from './reversals.ts';
import type { GatewayModel } from './truth.ts';
import { tellTransaction } from './webhooks.ts';

/** G22: what a person does in the provider's own pages. Nothing names an order there, and nobody asks the product. */
export function byHandAt(books: Books): GatewayModel['byHand'] {
  const wanted = (id: string, cents: number | null): Wanted => ({
    id,
    cents,
    orderId: null,
    invoice: books.knobs.byHandKeepsInvoice ? (books.byId(id)?.invoice ?? null) : null,
    by: 'person',
  });
  const took = (done: object) => !('code' in done);

  return {
    void(id) {
      const parent = books.byId(id);
      return !!parent && parent.method !== 'ach' && took(voidEntry(books, parent, wanted(id, null)));
    },
    refund(id, amountCents) {
      const parent = books.byId(id);
      return !!parent && parent.method !== 'ach' && took(refundEntry(books, parent, wanted(id, amountCents)));
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
        askedCents: amountCents,
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
      tellTransaction(books, entry, null);
      return id;
    },
    returnDebit(id, code = 'R01') {
      const entry = books.byId(id);
      return !!entry && returnDebit(books, entry, code);
    },
  };
}
