import type { OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { amount, contactOf, type Fact, from, type Letter, lines, link, note, oneLine, sheet, table } from './letter.ts';
import { type Receipt, receiptFrom } from './receipt.ts';

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
    ...boughtRows(receipt),
  ];
  return rows.filter((row): row is Fact => row[1] !== null);
}

/** What was bought, where the business shows it to its payers. */
const boughtRows = ({ lines }: Receipt): [string, string | null][] =>
  lines
    ? [
        ...lines.lines.map(({ name, pieces, total }): [string, string] => [`${oneLine(name)} ${pieces}`.trim(), total]),
        ['Total', lines.total],
        ['Invoice', lines.more],
      ]
    : [];

/** A receipt as a mail. */
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

/** The receipt that a payment owes. */
export function owedReceiptMail({ attempt, account, merchant, entries }: OwedMail, { settings }: Deps): Letter | null {
  const receipt = attempt && account ? receiptFrom({ attempt, account, merchant, entries }, settings.APP_URL) : null;
  return receipt && receiptMail(receipt);
}
