import { amount, contactOf, type Fact, from, type Letter, lines, link, note, oneLine, sheet, table } from './letter.ts';
import type { Receipt } from './receipt.ts';

/** Titles of mails about money that was given back or never taken. */
const NEWS: Partial<Record<Receipt['status'], string>> = {
  Refunded: 'Refund',
  'Partly refunded': 'Refund',
  Voided: 'Voided payment',
  Returned: 'Returned payment',
};

/** What a receipt says, line by line. */
export function receiptFacts(receipt: Receipt): Fact[] {
  const rows: [string, string | null][] = [
    ['Amount', receipt.amount],
    ['Status', receipt.status],
    ['Invoice', receipt.number],
    ['Date', receipt.date],
    ['Billed to', receipt.billedTo],
    [receipt.paidByLabel, receipt.customer],
    ['Method', receipt.method],
    ['Card', receipt.card || null],
    ['Authorization code', receipt.authCode],
    ['Transaction id', receipt.transactionId],
    ['Result', receipt.result],
    ['Fee reported by the provider', receipt.fee],
    ...receipt.refunds.map(({ what, date, amount }): [string, string] => [`${what} ${date}`, amount]),
    [receipt.leftIs, receipt.left],
  ];
  return rows.filter((row): row is Fact => row[1] !== null);
}

/** A receipt as a mail. It names no line item: treatments are the clinic's business alone. */
export function receiptMail(receipt: Receipt): Letter {
  const business = oneLine(receipt.business);
  const shown = receiptFacts(receipt);
  const contact = contactOf({ address: receipt.businessAddress, phone: receipt.businessPhone });
  const check = `To check that this mail is real, open the receipt at ${receipt.checkAddress} or call ${business}.`;
  const news = NEWS[receipt.status];
  const number = oneLine(receipt.number);
  return {
    subject: news ? `${news} for invoice ${number}` : `Receipt for invoice ${number} from ${business}`,
    text: [`${news ?? 'Receipt'} from ${business}`, contact, '', ...lines(shown), '', check, ''].join('\n'),
    html: sheet(
      news ?? 'Receipt',
      from(business, contact),
      amount(receipt.status, receipt.amount),
      table(shown),
      link(receipt.checkAddress, 'View the receipt'),
      note(check),
    ),
  };
}
