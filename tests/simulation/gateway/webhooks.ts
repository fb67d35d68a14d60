import type { WireRequest } from '../vendor.ts';
import type { Fault } from './faults.ts';
import type { Books, Entry } from './gateway-records.ts';
import { debitWire, dollars, stamp, success, transactionWire } from './wire.ts';

const HOUR = 3_600_000;

/** G38, G39: sends the notice of a transaction to its merchant's address. The network may delay or lose it. */
export function notifyTransaction(books: Books, entry: Entry, fault: Fault | null): void {
  const signature = `3064${books.nextId()}`;
  const transaction = entry.method === 'ach' ? debitWire(entry) : transactionWire(entry, 'json');
  const body = success(books.nextExchange(), { payloadType: 'transaction', transaction }, { signature });
  send(books, entry, fault, body.body);
}

/** G41: sends the notice of a bank debit's new status. The test environment sometimes nests it in itself. */
export function notifyDebit(books: Books, entry: Entry, previous: string, fault: Fault | null = null): void {
  const hasReturned = entry.ach === 'Returned';
  const kind = hasReturned ? 'returned' : entry.ach === 'Settled' ? 'settled' : 'updated';
  const payload = {
    transaction_id: entry.id,
    new_status: entry.ach,
    previous_status: previous,
    amount: dollars(entry.amountCents),
    currency: 'USD',
    return_reason_code: entry.returnCode ?? undefined,
    timestamp: stamp(books.world.now()),
    merchant_id: entry.merchantId,
  };
  const notice = { PayLoadType: `ach.status.${kind}`, Payload: payload };
  const isWrapped = books.world.random() < 0.3;
  const body = isWrapped ? { PayLoadType: notice.PayLoadType, Payload: notice } : notice;
  send(books, entry, fault, JSON.stringify(body));
}

function send(books: Books, entry: Entry, fault: Fault | null, body: string): void {
  const { webhookUrl } = books.terminal(entry.terminalId).merchant;
  if (!webhookUrl || fault === 'webhook-lost') return;
  const request: WireRequest = {
    method: 'POST',
    url: new URL(webhookUrl),
    headers: new Headers({ 'content-type': 'application/json' }),
    body: fault === 'webhook-garbled' ? body.slice(0, Math.floor(body.length / 2)) : body,
  };
  for (const afterMs of delays(books, fault)) {
    const label = `the gateway tells of ${entry.type} ${entry.id}`;
    if (afterMs === 0) books.world.send(request);
    else books.world.later(afterMs, label, () => books.world.send(request));
  }
}

function delays(books: Books, fault: Fault | null): number[] {
  const first = books.draw(books.knobs.webhookMs);
  if (fault === 'webhook-first') return [0];
  if (fault === 'webhook-late') return [books.draw([HOUR, 12 * HOUR])];
  // Up to three tries with growing pauses while no 2xx answer arrives.
  return fault === 'webhook-repeated' ? [first, first + 30_000, first + 150_000] : [first];
}
