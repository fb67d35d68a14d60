import { operator } from '#shared/operator';
import { localDay } from '#shared/text/local-day';
import { dateIn } from '#shared/words/formats';
import { detailsOf, type QueuedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { button, type Fact, html, type Letter, lines, link, note, oneLine, sheet, table } from './letter.ts';

/** Mails a link to the provider's set-up page after sign-up. Null if there is no application to complete. */
export function signUpMail({ merchant }: QueuedMail, { settings }: Pick<Deps, 'settings'>): Letter | null {
  if (!merchant?.merchantNumber || !merchant.signupUrl) return null;
  const business = oneLine(merchant.name);
  const intro = `${business} has applied for an account to take card payments with. Complete the set-up at the card provider; your terminals then appear in ${operator.name} automatically.`;
  const authenticityText = `To check that this mail is real, log in at ${settings.APP_URL}: the same link stands there. If you did not sign up, tell us.`;
  const contact = `${operator.supportPhone}, ${operator.supportEmail}`;
  return {
    subject: `Complete the set-up of ${business}`,
    text: [intro, '', 'Complete Setup Process:', merchant.signupUrl, '', authenticityText, '', contact, ''].join('\n'),
    html: sheet(
      'Complete the set-up',
      html`<p style="margin:0 0 12px">${intro}</p>`,
      button(merchant.signupUrl, 'Complete Setup Process'),
      note(merchant.signupUrl),
      note(authenticityText),
      note(contact),
    ),
  };
}

/** Mails the newest seal of an audit trail to an administrator who subscribed. Null if the account no longer exists. */
export function auditSealMail(
  { mail, account, merchant }: QueuedMail,
  { settings }: Pick<Deps, 'settings'>,
): Letter | null {
  if (!account) return null;
  const { seq = '0', hash = '', at = '', verified = '0', problem = '' } = detailsOf(mail);
  const business = oneLine(businessName(account, merchant));
  const intro = `This is the newest seal of the audit trail of ${business}. Keep this email: the trail is tamper-evident, and no one who rewrites it later can rewrite your copy.`;
  const facts: Fact[] = [
    ['Event', seq],
    ['Events sealed', seq],
    ['Sealed at', at || 'nothing is sealed yet'],
    ['Hash', hash || 'none'],
    ['Verified to event', verified],
  ];
  const warning = problem && `The trail does not match its seals. ${oneLine(problem)} Please tell us.`;
  const address = `${settings.APP_URL}/audit`;
  const unsubscribeText =
    'You get this email once a week because you turned it on. You can turn it off on the same page.';
  const contact = `${operator.supportPhone}, ${operator.supportEmail}`;
  return {
    subject: warning ? `Audit trail of ${business}: please look at it` : `Audit trail of ${business}: event ${seq}`,
    text: [
      intro,
      '',
      ...(warning ? [warning, ''] : []),
      ...lines(facts),
      '',
      address,
      '',
      unsubscribeText,
      '',
      contact,
      '',
    ].join('\n'),
    html: sheet(
      'Audit trail',
      html`<p style="margin:0 0 12px">${intro}</p>`,
      ...(warning ? [html`<p style="margin:0 0 12px;font-weight:600">${warning}</p>`] : []),
      table(facts.map(([label, value]): Fact => [label, oneLine(value)])),
      link(address, 'Open the audit trail'),
      note(unsubscribeText),
      note(contact),
    ),
  };
}

const paragraph = (text: string) => html`<p style="margin:0 0 12px">${text}</p>`;

/** Mails each administrator of an account that is scheduled to close. Null if the closing was cancelled. */
export function closingMail({ account, merchant }: QueuedMail, { settings }: Pick<Deps, 'settings'>): Letter | null {
  if (!account || account.closesAt === null) return null;
  const business = oneLine(businessName(account, merchant));
  const day = dateIn('en', localDay(account.closesAt, account.timeZone));
  const contact = `${operator.supportPhone}, ${operator.supportEmail}`;
  const intro = `An administrator asked ${operator.name} to close the account of ${business}. It is erased on ${day}.`;
  const paymentsText =
    'No new payments are taken from now on. Payments in progress are finished, and refunds are still possible.';
  const downloadText =
    'Download everything before that day. Until then, any administrator can cancel it under Account, Records and closing.';
  const uninstallText = 'Afterwards, uninstall the app in your CRM, under its connected apps.';
  const address = `${settings.APP_URL}/account/records`;
  return {
    subject: `${business} closes its account on ${day}`,
    text: [intro, '', paymentsText, '', downloadText, '', uninstallText, '', address, '', contact, ''].join('\n'),
    html: sheet(
      'Closing',
      paragraph(intro),
      paragraph(paymentsText),
      paragraph(downloadText),
      paragraph(uninstallText),
      button(address, 'Keep the account'),
      note(contact),
    ),
  };
}
