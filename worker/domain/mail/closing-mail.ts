import { operator } from '#shared/operator';
import { localDay } from '#shared/text/local-day';
import { dateIn } from '#shared/words/formats';
import type { OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { button, html, type Letter, note, oneLine, sheet } from './letter.ts';

const paragraph = (words: string) => html`<p style="margin:0 0 12px">${words}</p>`;

/** To each administrator of an account that is to close. Null: it was taken back. */
export function closingMail({ account }: OwedMail, { settings }: Pick<Deps, 'settings'>): Letter | null {
  if (!account || account.closesAt === null) return null;
  const business = oneLine(account.name);
  const day = dateIn('en', localDay(account.closesAt, account.timeZone));
  const contact = `${operator.supportPhone}, ${operator.supportEmail}`;
  const what = `An administrator asked ${operator.name} to close the account of ${business}. It is erased on ${day}.`;
  const now =
    'Nothing new is charged from now on. Payments that are under way are finished, and refunds can still be made.';
  const keep = 'Download everything before that day. Until then any administrator can take it back, under Account.';
  const crm = 'The app stays connected in your CRM: uninstall it there afterwards, among its connected apps.';
  const address = `${settings.APP_URL}/userinfo`;
  return {
    subject: `${business} closes its account on ${day}`,
    text: [what, '', now, '', keep, '', crm, '', address, '', contact, ''].join('\n'),
    html: sheet(
      'Closing',
      paragraph(what),
      paragraph(now),
      paragraph(keep),
      paragraph(crm),
      button(address, 'Account'),
      note(contact),
    ),
  };
}
