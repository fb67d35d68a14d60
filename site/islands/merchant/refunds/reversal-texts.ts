import type { InvoicePreviewReply } from '#shared/contracts/lists/invoice-preview';

/** Describes the voids and refunds since the invoice was last reopened: for the total, the list and a sentence. */
export function reversalTexts({ given_back }: InvoicePreviewReply['life']): {
  totalLabel: string;
  listLabel: string;
  participle: string;
} {
  const kinds = new Set(given_back.flatMap(({ kind, is_earlier }) => (is_earlier ? [] : [kind])));
  if (!kinds.has('void')) return { totalLabel: 'Refunded', listLabel: 'Refunds', participle: 'refunded' };
  return kinds.has('refund')
    ? { totalLabel: 'Voided and refunded', listLabel: 'Voids and refunds', participle: 'voided and refunded' }
    : { totalLabel: 'Voided', listLabel: 'Voids', participle: 'voided' };
}
