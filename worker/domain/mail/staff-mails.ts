import type { StaffRole } from '#shared/contracts/staff/team-values';
import { operator } from '#shared/operator';
import { joinPath } from '#shared/paths';
import { localDay } from '#shared/text/local-day';
import { describeDays } from '#shared/text/reminder-steps';
import { describeRole } from '#shared/text/staff-roles';
import { dateIn } from '#shared/words/formats';
import { detailsOf, type QueuedMail } from '#worker/data/mail/outbox';
import type { Deps } from '#worker/deps';
import { businessName } from '#worker/domain/merchants/view-merchant';
import { boundTo } from '#worker/security/token-cipher';
import { isSameAddress } from './address.ts';
import { button, type ComposedMail, html, type Letter, note, oneLine, sheet } from './letter.ts';
import { composePayLinkMail } from './pay-link-mail.ts';
import { payerLanguage } from './payer-language.ts';
import { reminderMail, sendingDay } from './reminder-mail.ts';

// Emails to the staff of a clinic about their own rights.

const contact = `${operator.supportPhone}, ${operator.supportEmail}`;
const paragraph = (text: string) => html`<p style="margin:0 0 12px">${text}</p>`;

/** Null if the account no longer exists. */
export async function staffInvitationMail(
  { mail, account, merchant }: QueuedMail,
  { settings, sealer }: Pick<Deps, 'settings' | 'sealer'>,
): Promise<Letter | null> {
  if (!account) return null;
  const { token = '', role = 'desk', invitedBy = '' } = detailsOf(mail);
  const business = oneLine(businessName(account, merchant));
  const address = `${settings.APP_URL}${joinPath(await sealer.open(token, boundTo.mail(mail.id)))}`;
  const intro = `${oneLine(invitedBy) || operator.name} invites you to work with ${operator.name} at ${business}, ${describeRole(role as StaffRole)}`;
  const closingNote = 'The link works once, for seven days. If you did not expect an invitation, ignore this email.';
  return {
    subject: `Your invitation to ${operator.name} at ${business}`,
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

export function staffRemovedMail({ account, merchant }: QueuedMail): Letter | null {
  if (!account) return null;
  const business = oneLine(businessName(account, merchant));
  const intro = `An administrator of ${business} removed you from its staff in ${operator.name}. You are logged out in every browser.`;
  const closingNote = 'If you think that this is a mistake, ask an administrator to invite you again.';
  return {
    subject: `You were removed from ${business}`,
    text: [intro, '', closingNote, '', contact, ''].join('\n'),
    html: sheet('Removed', paragraph(intro), paragraph(closingNote), note(contact)),
  };
}

type CodeMailDeps = Pick<Deps, 'settings' | 'sealer'>;

export const loginCodeMail = (queuedMail: QueuedMail, deps: CodeMailDeps): Promise<Letter> =>
  codeMail(queuedMail, deps, {
    title: 'Log in',
    purpose: `Your code to log in to ${operator.name}`,
    place: `in the browser that asked for it at ${deps.settings.APP_URL}`,
  });

export const factorCodeMail = (queuedMail: QueuedMail, deps: CodeMailDeps): Promise<Letter> =>
  codeMail(queuedMail, deps, {
    title: 'Passkey or PIN',
    purpose: `Your code to set a passkey or a PIN in ${operator.name}`,
    place: 'in the browser in which you are logged in',
  });

async function codeMail(
  { mail }: QueuedMail,
  { sealer }: Pick<Deps, 'sealer'>,
  { title, purpose, place }: { title: string; purpose: string; place: string },
): Promise<Letter> {
  const code = await sealer.open(detailsOf(mail).token ?? '', boundTo.mail(mail.id));
  const intro = `${purpose}: ${code.slice(0, 4)} ${code.slice(4)}`;
  const closingNote = `It works once, for ten minutes, ${place}. No one at ${operator.name} will ever ask you for it. If you did not ask for a code, do nothing.`;
  return {
    subject: `Your code for ${operator.name}`,
    text: [intro, '', closingNote, '', contact, ''].join('\n'),
    html: sheet(title, paragraph(intro), note(closingNote), note(contact)),
  };
}

const CHANGES: Record<string, string> = {
  'passkey-added': 'A passkey was added to your login',
  'passkey-removed': 'A passkey was removed from your login',
  'pin-set': 'A PIN was set for you',
  'pin-removed': 'Your PIN was removed',
  'all-removed': 'An administrator removed your passkeys and your PIN',
  'removed-by-support': `Support of ${operator.name} took away your passkeys and your PIN, and ended every login of yours`,
};

/**
 * Sent to each person who may approve a refund or void that needs a second person. It contains no payer, invoice or
 * amount: those require a login (docs/health-data.md).
 */
export function approvalRequestedMail(
  { mail, account, merchant }: QueuedMail,
  { settings }: Pick<Deps, 'settings'>,
): Letter | null {
  if (!account) return null;
  const { what = 'refund', requestedBy = '', endsAt = '' } = detailsOf(mail);
  const business = oneLine(businessName(account, merchant));
  const day = dateIn('en', localDay(Number(endsAt), account.timeZone));
  const intro = `${oneLine(requestedBy) || 'A colleague'} asked for a ${what === 'void' ? 'void' : 'refund'} at ${business} that a second person has to approve.`;
  const closingNote = `Nothing is refunded until someone else approves it. The request is open until ${day} at the latest.`;
  const address = `${settings.APP_URL}/account/approvals`;
  return {
    subject: `A ${what === 'void' ? 'void' : 'refund'} waits for a second person at ${business}`,
    text: [intro, '', closingNote, '', address, '', contact, ''].join('\n'),
    html: sheet(
      'Second person',
      paragraph(intro),
      paragraph(closingNote),
      button(address, 'Open approvals'),
      note(contact),
    ),
  };
}

/**
 * Sent to each person who may refund when a requested refund or void ended without approval or could not be made. It
 * contains no payer, invoice or amount either.
 */
export function approvalEndedMail(
  { mail, account, merchant }: QueuedMail,
  { settings }: Pick<Deps, 'settings'>,
): Letter | null {
  if (!account) return null;
  const { what = 'refund', requestedBy = '', why: reason = '' } = detailsOf(mail);
  const business = oneLine(businessName(account, merchant));
  const reversalName = what === 'void' ? 'void' : 'refund';
  const intro = `The ${reversalName} that ${oneLine(requestedBy) || 'a colleague'} asked for at ${business} was not made, and its request has ended.`;
  const explanation =
    oneLine(reason) ||
    'No one approved it within a week, or it could not be made after the approval: the payment was refunded in another way, or the person who asked may no longer refund that amount.';
  const closingNote = 'If it is still needed, please ask for it again.';
  const address = `${settings.APP_URL}/account/approvals`;
  return {
    subject: `A ${reversalName} was not made at ${business}`,
    text: [intro, '', explanation, '', closingNote, '', address, '', contact, ''].join('\n'),
    html: sheet(
      'Second person',
      paragraph(intro),
      paragraph(explanation),
      paragraph(closingNote),
      button(address, 'Open approvals'),
      note(contact),
    ),
  };
}

const OPERATOR_ACTIONS: Record<string, (name: string) => string> = {
  made: (name) => `made ${name} an administrator`,
  invited: (name) => `invited ${name} as an administrator`,
  unlocked: (name) =>
    `took the passkeys and the PIN of ${name} away and ended every login of theirs, so that they can set new ones`,
};

/** Sent to each administrator when the operator changed access to the clinic, since its staff did not see that. */
export function operatorActionMail({ mail, account, merchant }: QueuedMail): Letter | null {
  const { what = '', who = '' } = detailsOf(mail);
  const action = OPERATOR_ACTIONS[what]?.(oneLine(who));
  if (!account || !action) return null;
  const business = oneLine(businessName(account, merchant));
  const intro = `Support of ${operator.name} ${action} at ${business}.`;
  const closingNote =
    'Support does this when someone at the clinic asks for it. If you do not know about it, call us at once.';
  return {
    subject: `Support changed access to ${business}`,
    text: [intro, '', closingNote, '', contact, ''].join('\n'),
    html: sheet('Access changed', paragraph(intro), paragraph(closingNote), note(contact)),
  };
}

/** Sent to the person after every change, since someone else may have used their browser. */
export function factorChangedMail({ mail, account, merchant }: QueuedMail): Letter | null {
  if (!account) return null;
  const business = oneLine(businessName(account, merchant));
  const intro = `${CHANGES[detailsOf(mail).what ?? ''] ?? 'Your login was changed'} in ${operator.name} at ${business}.`;
  const closingNote = 'If this was not you, tell an administrator at once: they can remove you and invite you again.';
  return {
    subject: `Your login at ${business} was changed`,
    text: [intro, '', closingNote, '', contact, ''].join('\n'),
    html: sheet('Your login', paragraph(intro), paragraph(closingNote), note(contact)),
  };
}

const TEST_NOTE = `You asked ${operator.name} for this test. Below it is what your customer would get.`;
const REAL_LINK_NOTE =
  'The link is a real one: a payment charges the card and marks the invoice as paid. Void the payment under Batches afterwards, and nothing is charged.';
const describeReceipt = (customer: string) => `If you pay, ${customer || 'the customer'} gets the receipt by email.`;

/** Mails staff a pay link as the customer would get it. Null if the customer would get none. */
export async function testLinkMail(queuedMail: QueuedMail, deps: Deps): Promise<ComposedMail> {
  const { mail, invoice } = queuedMail;
  const customer = oneLine(`${invoice?.contactFirstName ?? ''} ${invoice?.contactLastName ?? ''}`);
  const isSomeoneElse = invoice && invoice.contactEmail !== '' && !isSameAddress(invoice.contactEmail, mail.recipient);
  const linkNote = isSomeoneElse ? `${REAL_LINK_NOTE} ${describeReceipt(customer)}` : REAL_LINK_NOTE;
  const letter = await composePayLinkMail(queuedMail, deps, [note(TEST_NOTE), note(linkNote)]);
  if (!letter || 'later' in letter) return letter;
  return { ...letter, subject: `Test: ${letter.subject}`, text: [TEST_NOTE, linkNote, '', letter.text].join('\n') };
}

/** A reminder preview for staff; its links do not open the invoice. */
export async function reminderTestMail(
  queuedMail: QueuedMail,
  deps: Pick<Deps, 'db' | 'settings'>,
): Promise<Letter | null> {
  const step = Number(detailsOf(queuedMail.mail).step ?? '0');
  const language = await payerLanguage(deps.db, queuedMail);
  const dueDate =
    queuedMail.invoice?.dueDate ?? localDay(queuedMail.mail.createdAt, queuedMail.account?.timeZone ?? 'UTC');
  const day = sendingDay(dueDate, step);
  const above = [
    `You asked ${operator.name} for this test of the reminder ${describeDays([step])}.`,
    `Below is what your customer would get on ${dateIn('en', day)}.`,
    'The links of this test lead nowhere.',
  ].join(' ');
  const letter = reminderMail(
    { ...queuedMail, language },
    { day, payId: '…', stopToken: null, staffNote: above },
    deps,
  );
  return letter && { subject: `Test: ${letter.subject}`, text: letter.text, html: letter.html };
}
