import * as z from 'zod/mini';

/** The gateway's envelope. Nulls are left out, booleans may come as strings, terminals answer with few fields. */

const text = z._default(z.catch(z.union([z.string(), z.pipe(z.number(), z.transform(String))]), ''), '');
const flag = z._default(
  z.catch(
    z.union([
      z.boolean(),
      z.pipe(
        z.enum(['true', 'false']),
        z.transform((value) => value === 'true'),
      ),
    ]),
    false,
  ),
  false,
);

export const WireTransaction = z.object({
  id: text,
  amount: text,
  type: text,
  result: text,
  status: text,
  'result-code': text,
  'display-message': text,
  'authorization-code': text,
  card: text,
  'last-four': text,
  'card-type': text,
  'order-id': text,
  invoice: text,
  'service-fee': text,
  voided: flag,
  pending: flag,
});
export type WireTransaction = z.output<typeof WireTransaction>;

export const WireError = z.object({ 'error-message': text, 'result-code': text });

const achList = z.object({ 'ach-transaction': z.array(WireTransaction) });

export const Envelope = z.object({
  code: text,
  'exchange-id': text,
  payload: z._default(
    z.object({
      transaction: z.optional(WireTransaction),
      error: z.optional(WireError),
      // Documented as an object, seen as a nested list and as a bare list.
      transactions: z.optional(
        z.union([z.object({ transaction: z.array(WireTransaction) }), z.array(WireTransaction)]),
      ),
      'ach-transactions': z.optional(achList),
    }),
    {},
  ),
});
export type Envelope = z.output<typeof Envelope>;

/** Every transaction of a look-up, whichever of the known shapes it came in. */
export function transactionsOf(envelope: Envelope): WireTransaction[] {
  const { transaction, transactions, 'ach-transactions': ach } = envelope.payload;
  if (ach) return ach['ach-transaction'];
  if (transactions) return Array.isArray(transactions) ? transactions : transactions.transaction;
  return transaction ? [transaction] : [];
}
