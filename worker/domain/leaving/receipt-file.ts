import { from, note, oneLine, sheet, table } from '#worker/domain/mail/letter';
import type { Receipt } from '#worker/domain/mail/receipt';
import { receiptFacts } from '#worker/domain/mail/receipt-mail';

/** Letters that a file may be named by on any system. */
const NAME = /[^\p{L}\p{N}._-]+/gu;

/** The receipt of a payment as a page of its own, without its address, which opens it for anybody. */
export function receiptFile(receipt: Receipt, paymentId: string): { name: string; content: string } {
  const business = oneLine(receipt.business);
  const number = receipt.number.replaceAll(NAME, '-').slice(0, 60);
  return {
    name: `receipts/${number}-${paymentId}.html`,
    content: sheet(
      'Receipt',
      from(business, receipt.businessPhone ?? ''),
      table(receiptFacts(receipt)),
      note(receipt.hasSignature ? 'The payer signed; the picture is under signatures.' : 'Without a signature.'),
    ),
  };
}
