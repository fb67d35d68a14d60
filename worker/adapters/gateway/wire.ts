import { z } from 'zod';

/** The gateway's envelope. Nulls are left out, booleans may come as strings, terminals answer with few fields. */

const text = z.union([z.string(), z.number().transform(String)]).catch('').default('');
const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')])
  .catch(false)
  .default(false);

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
  payload: z
    .object({
      transaction: WireTransaction.optional(),
      error: WireError.optional(),
      // Documented as an object, seen as a nested list and as a bare list.
      transactions: z.union([z.object({ transaction: z.array(WireTransaction) }), z.array(WireTransaction)]).optional(),
      'ach-transactions': achList.optional(),
    })
    .default({}),
});
export type Envelope = z.output<typeof Envelope>;

/** Every transaction of a look-up, whichever of the known shapes it came in. */
export function transactionsOf(envelope: Envelope): WireTransaction[] {
  const { transaction, transactions, 'ach-transactions': ach } = envelope.payload;
  if (ach) return ach['ach-transaction'];
  if (transactions) return Array.isArray(transactions) ? transactions : transactions.transaction;
  return transaction ? [transaction] : [];
}
