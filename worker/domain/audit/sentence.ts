import type { AuditAction } from '#shared/audit';
import { formatMoney } from '#shared/money';
import { operator } from '#shared/operator';
import { partners } from '#shared/partners';
import { describeDays } from '#shared/text/reminder-steps';
import { roleWords } from '#shared/text/staff-roles';
import { dateIn } from '#shared/words/formats';
import type { Subject } from '#worker/data/audit/trail';
import type { AuditEvent } from '#worker/data/schema/audit';
import { type Facts, factsOf } from './facts.ts';

type Told = {
  facts: Facts;
  before: Facts;
  subject: Subject | undefined;
  kind: string;
  id: string;
  /** The subject's name, if it is a person whose account still exists. */
  name: string | undefined;
  /** The actor, as the sentence begins. */
  who: string;
  isPayer: boolean;
};
/** The predicate, after the actor's name; or the whole sentence, if someone else did it. */
type Tell = (told: Told) => string | { whole: string };

const said = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
const after = (lead: string, value: unknown): string => (said(value) ? `${lead}${said(value)}` : '');

const sum = ({ facts, subject }: Told): string => {
  const cents = typeof facts.amountCents === 'number' ? facts.amountCents : subject?.amountCents;
  return typeof cents === 'number' ? formatMoney(cents, said(facts.currency) || subject?.currency || 'USD') : '';
};
const centsIn = ({ facts }: Told, field: string): string => {
  const cents = facts[field];
  return typeof cents === 'number' ? formatMoney(cents, 'USD') : '';
};
const numberOf = ({ facts, subject, id }: Told): string => said(facts.number) || subject?.number || id;
const reversalKind = ({ facts, subject }: Pick<Told, 'facts' | 'subject'>): string =>
  said(facts.kind) || subject?.kind || 'refund or void';
const payment = (told: Told): string => `the payment of ${numberOf(told)}${after(', ', sum(told))}`;
const reversal = (told: Told): string => `the ${reversalKind(told)} of ${numberOf(told)}${after(', ', sum(told))}`;
/** The requester’s reason for a reversal. `lead`: says that it is the requester’s, unless the requester acts. */
const because = ({ facts, subject }: Told, lead = ', requested with the reason: '): string =>
  after(lead, facts.reason ?? subject?.reason);
const invoice = (told: Told): string => `invoice ${numberOf(told)}`;
/** By its name, or by its number if it was erased. */
const clinic = ({ subject, id }: Told): string => subject?.number || `clinic ${id}`;
const stateOf = ({ facts }: Told): string => said(facts.state).replaceAll('_', ' ') || 'unknown';
/** A batch's id is `terminal/number`. */
const batch = ({ id }: Told): string => {
  const [terminal = '', number = id] = id.split('/');
  return `batch ${number}${number === id ? '' : ` of terminal ${terminal}`}`;
};
const nameIn = ({ facts, name, id }: Told): string => name ?? (said(facts.name) || id);
const article = ({ facts, before, kind, id }: Told): string =>
  `the ${kind} “${said(facts.title) || said(facts.slug) || said(before.slug) || id}”`;
const note = ({ facts }: Told): string => after(', note: ', facts.note);
/** A name that was typed proves nothing, so it stands beside the actor, never in their place. */
const signedAs = (who: string, name: unknown): string => (who.startsWith(said(name)) ? '' : after(' as ', name));
const times = ({ facts }: Told): string => (typeof facts.n === 'number' && facts.n > 1 ? `, ${facts.n} times` : '');

/** For a payer's own payment, the immediate outcome; null if it was found out later. */
function paid(told: Told): string | null {
  if (!told.isPayer) return null;
  const of = `${numberOf(told)}${after(', ', sum(told))}`;
  return stateOf(told) === 'approved' ? `paid ${of}` : `tried to pay ${of}: ${stateOf(told)}`;
}

/** An approval is the provider's, whoever asked for it; a changed amount was only found here. */
const reversalMoved: Tell = (told) =>
  told.facts.state === 'approved' && told.before.amountCents === undefined
    ? { whole: `${others.provider} approved ${reversal(told)}${because(told)}` }
    : `recorded as ${stateOf(told)}: ${reversal(told)}${because(told)}`;

const approvalDecided: Tell = (told) => {
  const [{ state, withdrawn }, request] = [told.facts, `the request for ${reversal(told)}`];
  if (withdrawn === true) return `withdrew ${request}${because(told, ', reason: ')}`;
  if (state === 'ended') return `ended ${request}, which was not carried out${because(told)}`;
  if (state === 'waiting') return `put ${request} back to waiting for approval${because(told)}`;
  return `${state === 'approved' ? 'approved' : 'refused'} ${reversal(told)}${because(told)}`;
};

const mailAskedFor: Tell = (told) => {
  const { kind, withItems, to } = told.facts;
  if (kind === 'reminder-test') return `sent a test reminder about ${invoice(told)}`;
  const what = kind ? ` (${said(kind)}${withItems === true ? ', with what is on the bill' : ''})` : '';
  return `sent a mail${what} about ${invoice(told)}${after(' to another address, ', to)}`;
};

const exported: Tell = ({ facts, id }) => {
  const day = (value: unknown) => (said(value) ? dateIn('en', said(value)) : '');
  const period = `${after(' from ', day(facts.from))}${after(' to ', day(facts.to))}`;
  return `exported ${id || 'a list'}${period}${after(', rows: ', facts.rows)}`;
};

const roleName = (value: unknown): string => {
  const role = said(value);
  return Object.hasOwn(roleWords, role) ? roleWords[role as keyof typeof roleWords].name.toLowerCase() : role;
};

/** An event names the role before it even if the role stayed. */
const staffChanged: Tell = (told) => {
  const { facts, before } = told;
  if (facts.confirmed === true && (!facts.role || facts.role === before.role))
    return `confirmed ${nameIn(told)}${after(' as ', roleName(before.role))}`;
  if (facts.renamed === true && !facts.role) return `changed the name of ${nameIn(told)}`;
  return `changed the rights of ${nameIn(told)}${after(' to ', roleName(facts.role))}`;
};

const remindersChanged: Tell = ({ facts }) => {
  const days = said(facts.days);
  return days ? `set reminders to ${describeDays(days.split(',').map(Number))}` : 'switched reminders off';
};

/** The sentence of each act. */
const tell: Record<AuditAction, Tell> = {
  'payment.claimed': (told) => `started ${payment(told)}`,
  'payment.moved': (told) => paid(told) ?? `recorded ${payment(told)} as ${stateOf(told)}`,
  'payment.resolved': (told) => `decided that ${payment(told)} is ${stateOf(told)}${note(told)}`,
  'payment.found': (told) => `found ${payment(told)} at the card provider, which was missing here`,
  'reversal.claimed': (told) => `asked for ${reversal(told)}${because(told, ', reason: ')}`,
  'reversal.moved': reversalMoved,
  'reversal.resolved': (told) => `decided that ${reversal(told)} is ${stateOf(told)}${note(told)}${because(told)}`,
  'invoice.reopened': (told) => `reopened ${invoice(told)} for payment`,
  'batch-close.claimed': (told) => `asked to close ${batch(told)}`,
  'batch-close.moved': (told) => `recorded ${batch(told)} as ${stateOf(told)}`,
  'link.issued': (told) => `issued a pay link for ${invoice(told)}`,
  'link.extended': (told) => `extended the pay link of ${invoice(told)}`,
  'link.revoked': (told) => `ended the pay link of ${invoice(told)}`,
  'support-view.granted': () => 'allowed support to look at this account for an hour',
  'support-view.ended': () => 'ended the access of support to this account',
  'support-view.opened': (told) => `looked at ${told.kind === 'clinic' ? clinic(told) : 'this account'} for support`,
  'link.revocation-asked': (told) => `asked to end the pay link of ${invoice(told)}`,
  'link.revocation-undone': (told) => `kept the pay link of ${invoice(told)} after all`,
  'link.ended': (told) => `ended the expired pay link of ${invoice(told)}`,
  'mailing.asked-for': ({ facts }) => `asked to mail payment links${after(', invoices: ', facts.invoices)}`,
  'mailing.stopped': () => 'stopped mailing payment links',
  'mail.asked-for': mailAskedFor,
  'session.opened': () => 'logged in',
  'session.ended': () => 'logged out',
  'login.refused': (told) => `was refused a login${times(told)}`,
  'access.refused': (told) => `was refused ${said(told.facts.route) || 'a request'}${times(told)}`,
  'webhook.forged': (told) => `sent a message that is not the provider’s${times(told)}`,
  'account.connected': () => 'connected the CRM account',
  'grant.revoked': () => 'lost access to the CRM account',
  'merchant.claimed': () => 'began an application at the card provider',
  'merchant.applied': () => 'applied at the card provider',
  'merchant.released': () => 'gave up an application at the card provider',
  'merchant.moved': ({ facts }) =>
    `told of the application: ${said(facts.told) || 'a change'}${after(', which is now ', facts.to)}`,
  'footer.changed': () => 'changed the text under printed invoices',
  'signature.saved': (told) => `saved the signature on ${invoice(told)}`,
  'signature.removed': (told) => `removed the signature from ${invoice(told)}`,
  'list.exported': exported,
  'seal-mail.switched': ({ facts }) =>
    `switched the weekly mail of the newest seal ${facts.weekly === false ? 'off' : 'on'}`,
  'content-user.registered': () => 'registered for the content area',
  'content-user.changed': (told) => `changed the rights of ${nameIn(told)}${after(' to ', told.facts.role)}`,
  'content-user.removed': (told) => `removed ${nameIn(told)} from the content area`,
  'invitation.sent': (told) => `sent an invitation${after(' as ', told.facts.role)}`,
  'invitation.ended': () => 'cancelled an invitation',
  'password.reset-asked': (told) => `asked for a new password for ${nameIn(told)}`,
  'password.changed': () => 'set a new password',
  'content-passkey.added': () => 'made a passkey for the content area',
  'content-passkey.removed': () => 'removed a passkey of the content area',
  'recovery-code.used': () => 'logged in with a recovery code',
  'recovery-codes.made': () => 'made new recovery codes',
  'second-factor.removed': (told) => `removed the passkeys and recovery codes of ${nameIn(told)}`,
  'article.published': (told) => `published ${article(told)}`,
  'article.edited': (told) =>
    `${told.facts.restored ? 'restored an earlier version of' : 'changed'} ${article(told)}, which is published`,
  'article.unpublished': (told) => `took ${article(told)} off the public site`,
  'article.scheduled': (told) =>
    told.facts.startsAt
      ? `planned that ${article(told)} goes live at ${said(told.facts.startsAt)}${after(' and ends at ', told.facts.endsAt)}`
      : `took back when ${article(told)} goes live`,
  'article.deleted': (told) => `deleted ${article(told)}`,
  'article.restored': (told) => `brought ${article(told)} back from the trash`,
  'media.deleted': ({ id }) => `deleted the file ${id}`,
  'script.approved': ({ facts, who }) =>
    `approved a version of the card provider’s script${signedAs(who, facts.by)}${after(', reason: ', facts.reason)}`,
  'alert.acknowledged': ({ facts, id, who }) => `acknowledged the alert ${id}${signedAs(who, facts.by)}`,
  'person.erased': ({ facts }) => `erased what is stored about a person${after(', rows: ', facts.rows)}`,
  'operator.invited': () => 'gave out a code for a new operator',
  'operator.invitation-ended': () => 'withdrew an unused code for a new operator',
  'operator.enrolled': ({ facts, who }) => `became an operator${signedAs(who, facts.name)}`,
  'operator.removed': ({ before, id }) => `removed the operator ${said(before.name) || id}`,
  'clinic.woken': (told) => `ran the pending work of ${clinic(told)} right away`,
  'mail.sent-again': ({ facts, subject }) =>
    `resent an email${facts.clinic ? ` of ${subject?.number || `clinic ${said(facts.clinic)}`}` : ''}`,
  'build.started': () => 'started a build of the public site',
  'payments.paused': ({ facts }) => `paused all online payments${after(', reason: ', facts.reason)}`,
  'payments.resumed': ({ facts }) => `resumed online payments${after(', reason: ', facts.reason)}`,
  'staff.invited': ({ facts, subject }) =>
    `invited ${subject?.number || 'a person'}${after(' as ', roleName(facts.role))}`,
  'staff.invitation-ended': ({ subject }) =>
    subject?.number ? `cancelled the invitation of ${subject.number}` : 'cancelled an invitation of staff',
  'staff.joined': ({ facts }) => `accepted an invitation${after(' as ', roleName(facts.role))}`,
  'staff.changed': staffChanged,
  'staff.removed': (told) => `removed ${nameIn(told)} from the staff`,
  'sessions.ended': ({ name, who }) =>
    name && name !== who ? `logged ${name} out everywhere` : 'logged out everywhere',
  'refund-limit.changed': ({ facts }) =>
    typeof facts.cents === 'number'
      ? `allowed managers to refund ${formatMoney(facts.cents, 'USD')} within 24 hours`
      : 'allowed only administrators to refund',
  'session.proved': ({ facts }) => `confirmed their identity${after(', by ', facts.by)}`,
  'passkey.added': () => 'added a passkey of their own',
  'passkey.removed': () => 'removed a passkey of their own',
  'pin.set': () => 'set their PIN',
  'pin.removed': () => 'removed their PIN',
  'pin.locked': (told) => `entered a wrong PIN of ${nameIn(told)} until it was locked`,
  'factors.removed': (told) => `removed the passkeys and PIN of ${nameIn(told)}`,
  'second-person.changed': ({ facts }) =>
    typeof facts.cents === 'number'
      ? `required a second person to approve refunds above ${formatMoney(facts.cents, 'USD')} of a payment`
      : 'allowed refunds without a second person',
  'approval.asked': (told) => `asked a second person to approve ${reversal(told)}${because(told, ', reason: ')}`,
  'approval.decided': approvalDecided,
  'archive.asked-for': () => 'asked for a download of all records',
  'archive.fetched': ({ facts }) => `downloaded all records${after(', rows and files: ', facts.rows)}`,
  'closing.asked-for': ({ facts }) => `asked to close the account${after(' on ', facts.day)}`,
  'closing.taken-back': () => 'cancelled the closing of the account',
  'closing.put-off': ({ facts }) => `could not close the account yet${after(': ', facts.why)}`,
  'first-hour.decided': ({ facts }) =>
    facts.mails === true
      ? 'looked at the emails that customers get'
      : `${facts.ended === false ? 'brought back' : 'put away'} the list of the first hour`,
  'reminders.changed': remindersChanged,
  'reminders.stopped': () => 'stopped the reminders to their address',
  'reminders.excluded': (told) =>
    `${told.facts.excluded === false ? 'let' : 'left'} ${invoice(told)} ${told.facts.excluded === false ? 'be reminded again' : 'out of reminders'}`,
  'notices.changed': ({ facts }) =>
    facts.how === 'never'
      ? 'stopped their own emails about paid links'
      : `gets emails about paid links${after(', ', facts.how)}`,
  'write-back.changed': ({ facts }) =>
    `switched recording of payments in ${partners.crm} ${facts.on === true ? 'on' : 'off'}`,
  'bill-lines.changed': ({ facts }) =>
    `${facts.on === true ? 'showed' : 'hid'} the items of bills ${facts.on === true ? 'to' : 'from'} payers`,
  'bank-payments.changed': ({ facts }) => `switched payments by bank account ${facts.on === true ? 'on' : 'off'}`,
  'payer-language.changed': ({ facts }) =>
    `set the language of payers to ${facts.language === 'es' ? 'Spanish' : 'English'}`,
  'payment.recorded-by-hand': ({ facts }) =>
    `noted that a ${facts.refund === true ? 'refund' : 'payment'} was recorded in ${partners.crm} by hand${after(': ', facts.note)}`,
  'parts.switched': ({ facts }) => `switched partial payments ${facts.on === true ? 'on' : 'off'}`,
  'parts.opened': (told) =>
    `allowed partial payments of ${invoice(told)}${after(', in all ', centsIn(told, 'baseCents'))}`,
  'parts.frozen': (told) =>
    `stopped partial payments of ${invoice(told)}: its amount in ${partners.crm} changed${after(' to ', centsIn(told, 'balanceCents'))}`,
  'parts.decided': (told) => `decided what is owed of ${invoice(told)}${after(': ', centsIn(told, 'baseCents'))}`,
  'parts.closed': (told) => `ended partial payments of ${invoice(told)}`,
  'operator.called': (told) =>
    `asked for ${said(told.facts.route) || 'something'}${told.kind === 'clinic' ? ` of ${clinic(told)}` : ''}`,
  'clinic.restored': (told) =>
    `put ${told.kind === 'clinic' ? `the records of ${clinic(told)}` : 'the installation'} back${after(', rows: ', told.facts.rows)}`,
  'clinic.erased': (told) => `erased ${clinic(told)}${after(', kept rows: ', told.facts.rows)}`,
};

/** Names of actors other than staff and content users. */
const others: Record<Exclude<AuditEvent['actorKind'], 'user' | 'content'>, string> = {
  payer: 'A payer',
  system: operator.name,
  operator: 'The operator',
  provider: 'The card provider',
};

/** The actor in the format of the person filter. */
export const personOf = ({ actorKind, actorId }: Pick<AuditEvent, 'actorKind' | 'actorId'>): string =>
  actorId === '' || !isPerson(actorKind) ? actorKind : `${actorKind}:${actorId}`;

const isPerson = (kind: string) => kind === 'user' || kind === 'content' || kind === 'operator';

/** The actor's name; for a former member, the id. */
export function nameOf({ actorKind, actorId }: Pick<AuditEvent, 'actorKind' | 'actorId'>, names: Map<string, string>) {
  if (actorKind === 'operator') return names.get(`operator:${actorId}`) ?? others.operator;
  if (actorKind !== 'user' && actorKind !== 'content') return others[actorKind] ?? actorKind;
  return names.get(`${actorKind}:${actorId}`) ?? (actorId ? `A former member (${actorId})` : 'A stranger');
}

/** The kind of row that an event is about; a reversal is called by its own kind. */
export const kindOf = ({ subjectKind, after }: AuditEvent, subject: Subject | undefined): string =>
  subjectKind === 'reversal' ? reversalKind({ facts: factsOf(after), subject }) : subjectKind;

/**
 * Returns an event as one English sentence, the same for screen, CSV and mail. An action unknown to this version is
 * shown by its code name.
 */
export function sentenceOf(event: AuditEvent, names: Map<string, string>, subject: Subject | undefined): string {
  const before = factsOf(event.before);
  const facts = factsOf(event.after);
  const { subjectKind: kind, subjectId: id } = event;
  const name = names.get(kind === 'content-user' ? `content:${id}` : kind === 'staff' ? `user:${id}` : '');
  const who = nameOf(event, names);
  const told = { facts, before, subject, kind, id, name, who, isPayer: event.actorKind === 'payer' };
  const how = Object.hasOwn(tell, event.action) ? tell[event.action as AuditAction] : undefined;
  const what = how ? how(told) : `did ${event.action}${after(' to ', event.subjectId)}`;
  const sentence = typeof what === 'string' ? `${who} ${what}` : what.whole;
  // A reason may end with its own period.
  return `${sentence.replace(/\.$/, '')}.`;
}
