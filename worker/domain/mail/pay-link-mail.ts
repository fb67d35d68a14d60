import { formatMoney } from '#shared/money';
import { operator } from '#shared/operator';
import { payPath } from '#shared/paths';
import { formatDate } from '#shared/text/pay-page-fill';
import type { OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/invoices/business-name';
import { payableState } from '#worker/domain/pay-links/link-state';
import {
  amount,
  button,
  contactOf,
  type Fact,
  from,
  type Letter,
  lines,
  type Markup,
  note,
  oneLine,
  sheet,
  table,
} from './letter.ts';

/** `link`: the live one. */
type Bill = Pick<OwedMail, 'account' | 'merchant' | 'invoice'> & {
  link: Pick<NonNullable<OwedMail['link']>, 'payId' | 'endsAt'> | undefined;
};

/**
 * A bill with its pay link. It names no line item: treatments are the clinic's business alone. Null: there is nothing
 * to pay any more, or no live link. `above`: what stands above it, for other readers than the customer.
 */
export function payLinkMail(
  { account, merchant, invoice, link }: Bill,
  { settings }: Pick<Deps, 'settings'>,
  above: Markup[] = [],
): Letter | null {
  if (
    !account ||
    account.closesAt !== null ||
    !invoice ||
    !link ||
    payableState(invoice, settings.MAX_AMOUNT_CENTS) !== 'payable'
  )
    return null;
  const business = oneLine(businessName(account, merchant));
  const number = oneLine(invoice.number);
  const due = `${formatMoney(invoice.balanceCents ?? 0, invoice.currency)} ${invoice.currency}`;
  const address = `${settings.APP_URL}${payPath(link.payId)}`;
  const customer = oneLine(`${invoice.contactFirstName} ${invoice.contactLastName}`);
  const ends = formatDate(new Date(link.endsAt).toISOString().slice(0, 10));
  const facts: Fact[] = [
    ['Amount due', due],
    ...(number ? [['Invoice', number] satisfies Fact] : []),
    ...(invoice.dueDate ? [['Due', formatDate(invoice.dueDate)] satisfies Fact] : []),
    ...(customer ? [['For', customer] satisfies Fact] : []),
  ];
  const contact = contactOf(account);
  const check = `To check that this mail is real, call ${business} at the number that you know. The link leads to ${new URL(settings.APP_URL).host} and nowhere else. Nobody will ask for your card number by mail or phone.`;
  const until = `The link works until ${ends}. ${operator.name} sends this mail for ${business}.`;
  return {
    subject: `Invoice ${number} from ${business}`.replace('  ', ' '),
    text: [
      `Invoice from ${business}`,
      contact,
      '',
      ...lines(facts),
      '',
      'Pay this invoice online:',
      address,
      '',
      check,
      '',
      until,
      '',
    ].join('\n'),
    html: sheet(
      'Invoice',
      above,
      from(business, contact),
      amount('Amount due', due),
      table(facts.slice(1)),
      button(address, 'Pay this invoice'),
      note(address),
      note(check),
      note(until),
    ),
  };
}
