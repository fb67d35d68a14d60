import { operator } from '#shared/operator';
import type { OwedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { button, html, type Letter, note, oneLine, sheet } from './letter.ts';

/** A link to the provider's set-up page for the person who signed up. Null: there is no application to complete. */
export function signUpMail({ merchant }: OwedMail, { settings }: Pick<Deps, 'settings'>): Letter | null {
  if (!merchant?.merchantNumber || !merchant.signupUrl) return null;
  const business = oneLine(merchant.name);
  const what = `${business} has applied for an account to take card payments with. Complete the set-up at the card provider; your terminals then appear in ${operator.name} by themselves.`;
  const check = `To check that this mail is real, log in at ${settings.APP_URL}: the same link stands there. If you did not sign up, tell us.`;
  const contact = `${operator.supportPhone}, ${operator.supportEmail}`;
  return {
    subject: `Complete the set-up of ${business}`,
    text: [what, '', 'Complete Setup Process:', merchant.signupUrl, '', check, '', contact, ''].join('\n'),
    html: sheet(
      'Complete the set-up',
      html`<p style="margin:0 0 12px">${what}</p>`,
      button(merchant.signupUrl, 'Complete Setup Process'),
      note(merchant.signupUrl),
      note(check),
      note(contact),
    ),
  };
}
