import { formatMoney } from '#shared/money';
import { operator } from '#shared/operator';
import { formatDate } from '#shared/text/pay-page-fill';
import { detailsOf, type OwedMail } from '#worker/data/mail/outbox';
import { businessName } from '#worker/domain/invoices/business-name';
import { amount, contactOf, type Fact, from, type Letter, lines, note, oneLine, sheet, table } from './letter.ts';

/**
 * The receipt of a payment that the clinic recorded itself. We saw no money, so there is no transaction, no card and no
 * receipt page. Null: the CRM does not call the invoice paid any more.
 */
export function crmReceiptMail({ mail, account, merchant, invoice }: OwedMail): Letter | null {
  if (!account || !invoice || invoice.status !== 'paid' || invoice.localStatus !== 'none') return null;
  /** YYYY-MM-DD; empty where the CRM does not say. */
  const { paidOn } = detailsOf(mail);
  const business = oneLine(businessName(account, merchant));
  const number = oneLine(invoice.number);
  const cents = invoice.billedCents;
  const sum = cents === null ? null : `${formatMoney(cents, invoice.currency)} ${invoice.currency}`;
  const facts: Fact[] = [
    ['Invoice', number],
    ...(sum ? [['Amount', sum] satisfies Fact] : []),
    ...(paidOn ? [['Date', formatDate(paidOn)] satisfies Fact] : []),
    ['Payment', 'recorded by the clinic'],
  ];
  const contact = contactOf(account);
  const check = `To check that this mail is real, call ${business} at the number that you know.`;
  const sender = `${operator.name} sends this mail for ${business}.`;
  return {
    subject: `Receipt for invoice ${number} from ${business}`,
    text: [`Receipt from ${business}`, contact, '', ...lines(facts), '', check, '', sender, ''].join('\n'),
    html: sheet(
      'Receipt',
      from(business, contact),
      ...(sum ? [amount('Paid', sum)] : []),
      table(facts),
      note(check),
      note(sender),
    ),
  };
}
