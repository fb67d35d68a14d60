import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';

/** Describes the voids and refunds since the invoice was last reopened: for the total, the list and a sentence. */
export function reversalTexts({ given_back }: InvoicePreviewReply['life']): {
  sum: string;
  list: string;
  past: string;
} {
  const kinds = new Set(given_back.flatMap(({ kind, is_earlier }) => (is_earlier ? [] : [kind])));
  if (!kinds.has('void')) return { sum: 'Refunded', list: 'Refunds', past: 'refunded' };
  return kinds.has('refund')
    ? { sum: 'Voided and refunded', list: 'Voids and refunds', past: 'voided and refunded' }
    : { sum: 'Voided', list: 'Voids', past: 'voided' };
}
