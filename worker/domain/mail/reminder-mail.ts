import type { When } from '#shared/contracts/reminders-request';
import { formatMoney } from '#shared/money';
import { operator } from '#shared/operator';
import { payPath, stopPath } from '#shared/paths';
import { formatDate } from '#shared/text/pay-page-fill';
import { detailsOf, type OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/invoices/business-name';
import { amount, button, contactOf, from, html, type Letter, link, note, oneLine, sheet } from './letter.ts';

export const whenOf = (step: number): When => (step < 0 ? 'before' : step === 0 ? 'on' : 'after');

const due = (when: When, day: string | null): string => {
  if (day === null) return 'is open.';
  if (when === 'before') return `is due on ${formatDate(day)}.`;
  return when === 'on' ? `is due today, ${formatDate(day)}.` : `was due on ${formatDate(day)}.`;
};

type Reminded = Pick<OwedMail, 'account' | 'merchant' | 'invoice'>;
type Known = { [K in keyof Reminded]: K extends 'merchant' ? Reminded[K] : NonNullable<Reminded[K]> };
/** `stop`: the capability that ends the reminders to this address; null where the mail goes to staff. */
type About = { when: When; payId: string; stop: string | null };

/** What a reminder says, whether it is sent or only looked at. */
export function reminderWords({ account, merchant, invoice }: Known, when: When) {
  const business = oneLine(businessName(account, merchant));
  const number = oneLine(invoice.number);
  const name = oneLine(invoice.contactFirstName);
  const bill = number ? `invoice ${number}` : `your invoice from ${business}`;
  return {
    business,
    number,
    // Without a sum: a subject shows on locked screens.
    subject: number ? `A reminder from ${business}: invoice ${number}` : `A reminder from ${business}`,
    greeting: name ? `Hello ${name},` : 'Hello,',
    what: `${bill} ${due(when, invoice.dueDate)} If you have paid it already, thank you: please ignore this email.`,
    amount: formatMoney(invoice.balanceCents ?? 0, invoice.currency),
    reach: [account.phone, account.email].filter(Boolean).map(oneLine).join(' or '),
    stop: `Stop reminders from ${business}`,
  };
}

/** A reminder of a bill with its pay link. It names no line item: treatments are the clinic's business alone. */
export function reminderMail(
  { account, merchant, invoice }: Reminded,
  { when, payId, stop }: About,
  { settings }: Pick<Deps, 'settings'>,
): Letter | null {
  if (!account || !invoice) return null;
  const words = reminderWords({ account, merchant, invoice }, when);
  const { business, greeting, what, reach } = words;
  const address = `${settings.APP_URL}${payPath(payId)}`;
  const check = `To check that this mail is real, call ${business} at the number that you know. The link leads to ${new URL(settings.APP_URL).host} and nowhere else. ${operator.name} sends this mail for ${business}.`;
  const stopAddress = stop && `${settings.APP_URL}${stopPath(stop)}`;
  return {
    subject: words.subject,
    text: [
      ...[greeting, '', what, '', words.amount, '', 'View and pay:', address, ''],
      ...(reach ? [`Questions? ${reach}`, ''] : []),
      ...[check, '', stopAddress ? `${words.stop}: ${stopAddress}` : words.stop, ''],
    ].join('\n'),
    html: sheet(
      'Reminder',
      from(business, contactOf(account)),
      html`<p style="margin:0 0 12px">${greeting}</p><p style="margin:0 0 12px">${what}</p>`,
      amount('Amount due', words.amount),
      button(address, 'View and pay'),
      ...(reach ? [note(`Questions? ${reach}`)] : []),
      note(check),
      stopAddress ? link(stopAddress, words.stop) : note(words.stop),
    ),
    ...(stopAddress && {
      headers: { 'List-Unsubscribe': `<${stopAddress}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    }),
  };
}

const WHY = `You asked ${operator.name} for this test. Below it is what your customer would get.`;

/** A reminder for staff, who want to see what a customer gets; its links open nothing of the invoice. */
export function reminderTest(owed: OwedMail, deps: Pick<Deps, 'settings'>): Letter | null {
  const { when = 'after' } = detailsOf(owed.mail);
  const letter = reminderMail(owed, { when: when as When, payId: '…', stop: null }, deps);
  if (!letter) return null;
  return {
    subject: `Test: ${letter.subject}`,
    text: [WHY, 'The links of this test lead nowhere.', '', letter.text].join('\n'),
    html: letter.html,
  };
}
