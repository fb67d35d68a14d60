import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';

/** How money of the current collection went back: the words for its sum, its list and a sentence. */
export function backWords({ given_back }: InvoicePreviewReply['life']): { sum: string; list: string; past: string } {
  const kinds = new Set(given_back.flatMap(({ kind, is_earlier }) => (is_earlier ? [] : [kind])));
  if (!kinds.has('void')) return { sum: 'Refunded', list: 'Refunds', past: 'refunded' };
  return kinds.has('refund')
    ? { sum: 'Voided and refunded', list: 'Voids and refunds', past: 'voided and refunded' }
    : { sum: 'Voided', list: 'Voids', past: 'voided' };
}
