import { type Role, roleNames } from '#shared/contracts/content/content-values';
import { operator } from '#shared/operator';
import { detailsOf, type QueuedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { boundTo } from '#worker/security/token-cipher';
import { button, html, type Letter, link, note, oneLine, sheet } from './letter.ts';

// The links in emails of the content area carry a token after a #, so that it never appears in server logs.

type LinkDeps = Pick<Deps, 'settings' | 'sealer'>;

const details = ({ mail }: QueuedMail): Record<string, string> => JSON.parse(mail.details);

const contact = `${operator.supportPhone}, ${operator.supportEmail}`;
const paragraph = (text: string) => html`<p style="margin:0 0 12px">${text}</p>`;

export async function invitationMail(queuedMail: QueuedMail, { settings, sealer }: LinkDeps): Promise<Letter> {
  const { token = '', role = '', invitedBy = '' } = details(queuedMail);
  const address = `${settings.APP_URL}/register#invitation=${await sealer.open(token, boundTo.mail(queuedMail.mail.id))}`;
  const intro = `${oneLine(invitedBy)} invites you to write for the ${operator.name} site as ${roleNames[role as Role].withArticle}.`;
  const closingNote = 'The link works once, for seven days. If you did not expect an invitation, ignore this email.';
  return {
    subject: `Your invitation to the ${operator.name} content area`,
    text: [intro, '', address, '', closingNote, '', contact, ''].join('\n'),
    html: sheet(
      'Invitation',
      paragraph(intro),
      button(address, 'Accept the invitation'),
      note(closingNote),
      note(contact),
    ),
  };
}

export async function passwordResetMail(queuedMail: QueuedMail, { settings, sealer }: LinkDeps): Promise<Letter> {
  const { token = '', name = '' } = details(queuedMail);
  const address = `${settings.APP_URL}/cms/login#reset=${await sealer.open(token, boundTo.mail(queuedMail.mail.id))}`;
  const intro = `${oneLine(name)}, someone asked for a new password for your ${operator.name} content account.`;
  const closingNote = 'The link works once, for an hour, and logs every browser out. If it was not you, do nothing.';
  return {
    subject: `A new password for your ${operator.name} content account`,
    text: [intro, '', address, '', closingNote, '', contact, ''].join('\n'),
    html: sheet(
      'New password',
      paragraph(intro),
      button(address, 'Set a new password'),
      note(closingNote),
      note(contact),
    ),
  };
}

export function addressRegisteredMail(_queuedMail: QueuedMail, { settings }: LinkDeps): Letter {
  const address = `${settings.APP_URL}/cms/login`;
  const intro = `Someone tried to register at the ${operator.name} content area with your address, which has an account already.`;
  const closingNote =
    'If it was you, log in, or ask for a new password there. If it was not you, ignore this email: no one got access.';
  return {
    subject: `You already have a ${operator.name} content account`,
    text: [intro, '', closingNote, '', address, '', contact, ''].join('\n'),
    html: sheet('Your account', paragraph(intro), paragraph(closingNote), link(address, 'Log in'), note(contact)),
  };
}

/** Composes the operator's email about one alert or about all alerts of a day. */
export function alertMail({ mail }: QueuedMail): Letter {
  const { text = '', page = '', events = '' } = detailsOf(mail);
  const lines = text.split('\n');
  const [first = ''] = lines;
  const sections = events.split(' ').map((event) => [event, `${page}/runbook?event=${event}`] as const);
  const intro = 'What each means, and what to do:';
  return {
    subject:
      lines.length > 1
        ? `${operator.name}: ${lines.length} things to look at`
        : `${operator.name}: ${first.split(' (')[0]}`,
    text: [...lines, '', intro, ...sections.map(([, address]) => address), '', 'All alerts:', page, ''].join('\n'),
    html: sheet(
      'Please look at this',
      ...lines.map((line) => html`<p style="margin:0 0 12px">${line}</p>`),
      link(page, 'Open the page of alerts'),
      note(intro),
      ...sections.map(([event, address]) => html`<p style="margin:0 0 4px"><a href="${address}">${event}</a></p>`),
    ),
  };
}
