import * as z from 'zod/mini';
import { plainText } from '#shared/text/safe-text';

/** The gateway's envelope. Nulls are dropped, booleans may be strings, and terminals return only a few fields. */

const text = z._default(
  z.catch(z.union([z.pipe(z.string(), z.transform(plainText)), z.pipe(z.number(), z.transform(String))]), ''),
  '',
);
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

const count = z._default(z.catch(z.coerce.number(), 0), 0);

const personName = z.object({ 'first-name': text, 'last-name': text });
const NO_NAME = { 'first-name': '', 'last-name': '' };

export const WireTransaction = z.object({
  id: text,
  amount: text,
  type: text,
  result: text,
  status: text,
  'result-code': text,
  'display-message': text,
  'authorization-code': text,
  'avs-result-code': text,
  'csc-result-code': text,
  card: text,
  'account-number': text,
  'last-four': text,
  'card-type': text,
  'order-id': text,
  invoice: text,
  'service-fee': text,
  'terminal-id': text,
  'merchant-id': text,
  'batch-string-id': text,
  'ref-id': text,
  billing: z._default(z.catch(personName, NO_NAME), NO_NAME),
  'individual-name': text,
  created: text,
  'status-change-date': text,
  'returned-code': text,
  'returned-message': text,
  voided: flag,
});
export type WireTransaction = z.output<typeof WireTransaction>;

export const WireError = z.object({ 'error-message': text, 'result-code': text });

export const WireBatch = z.object({
  id: text,
  status: text,
  'terminal-id': text,
  'terminal-name': text,
  'date-opened': text,
  settled: text,
  'sales-count': text,
  'sales-total': text,
  'refund-count': text,
  'refund-total': text,
  'net-amount': text,
  'confirmation-code': text,
});
export type WireBatch = z.output<typeof WireBatch>;

/** Documented as a list inside an object, but also received as a bare list or as a single entry. */
function entriesOf(value: unknown, name: string): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const nested = new Map(Object.entries(value)).get(name);
  return Array.isArray(nested) || nested === undefined ? nested : [nested];
}

const listOf = <Item extends z.ZodMiniType>(name: string, item: Item) =>
  z.optional(
    z.pipe(
      z.transform((value: unknown) => entriesOf(value, name)),
      z.array(item),
    ),
  );

const Page = z.object({ number: count, 'total-pages': count, last: flag });

/** A host that is registered for Apple Pay. */
const WireDomain = z.object({ domain: text, isEnabled: flag });
const domains = z.catch(z.optional(z.array(WireDomain)), undefined);

export const Envelope = z.object({
  'exchange-id': text,
  // The documentation shows these domains with and without the payload around them.
  'merchant-domains': domains,
  page: z.catch(z.optional(Page), undefined),
  payload: z._default(
    z.pipe(
      z.object({
        transaction: z.optional(WireTransaction),
        // Webhooks use one name for a bank payment, and the API reference uses the other.
        'ach-transaction': z.optional(WireTransaction),
        error: z.optional(WireError),
        transactions: listOf('transaction', WireTransaction),
        'ach-transactions': listOf('ach-transaction', WireTransaction),
        batch: z.optional(WireBatch),
        batches: listOf('batch', WireBatch),
        'merchant-domains': domains,
      }),
      z.transform(({ 'ach-transaction': ach, ...payload }) => ({
        ...payload,
        transaction: payload.transaction ?? ach,
      })),
    ),
    { transaction: undefined },
  ),
});
export type Envelope = z.output<typeof Envelope>;

/** Returns the transactions of a look-up, in any known shape. Null if none of them is present. */
export function transactionsOf({ payload }: Envelope): WireTransaction[] | null {
  return payload['ach-transactions'] ?? payload.transactions ?? (payload.transaction ? [payload.transaction] : null);
}

export function batchesOf({ payload }: Envelope): WireBatch[] | null {
  return payload.batches ?? (payload.batch ? [payload.batch] : null);
}

/** True if the reply lists this host as registered and enabled for Apple Pay. */
export const isDomainEnabled = ({ payload, 'merchant-domains': unwrappedDomains }: Envelope, host: string): boolean =>
  (payload['merchant-domains'] ?? unwrappedDomains ?? []).some(({ domain, isEnabled }) => domain === host && isEnabled);

/** True if this is the last page. If the reply does not state it, a full page is not the last. */
export function isLastPage({ page }: Envelope, rowCount: number, size: number): boolean {
  if (rowCount === 0) return true;
  if (!page) return rowCount < size;
  return page.last || (page['total-pages'] > 0 && page.number >= page['total-pages']);
}
