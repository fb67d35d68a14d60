import type { AuditAction } from '#shared/audit';
import { payerLanguageNames } from '#shared/contracts/staff/account-settings';
import { formatMoney } from '#shared/money';
import { operator } from '#shared/operator';
import { partners } from '#shared/partners';
import { describeDays } from '#shared/text/reminder-steps';
import { roleWords } from '#shared/text/staff-roles';
import { dateIn } from '#shared/words/formats';
import { readLanguage } from '#shared/words/language';
import type { Subject } from '#worker/data/audit/trail';
import type { AuditEvent } from '#worker/data/schema/audit';
import { type Facts, factsOf } from './facts.ts';

type Context = {
  facts: Facts;
  before: Facts;
  subject: Subject | undefined;
  kind: string;
  id: string;
  /** The subject's name, if it is a person whose account still exists. */
  name: string | undefined;
  /** The name of the actor, which begins the sentence. */
  actorName: string;
  isPayer: boolean;
};
/** Returns the predicate that follows the actor's name, or the whole sentence if someone else acted. */
type Predicate = (context: Context) => string | { whole: string };

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
const withLead = (lead: string, value: unknown): string => (textOf(value) ? `${lead}${textOf(value)}` : '');

const formatAmount = ({ facts, subject }: Context): string => {
  const cents = typeof facts.amountCents === 'number' ? facts.amountCents : subject?.amountCents;
  return typeof cents === 'number' ? formatMoney(cents, textOf(facts.currency) || subject?.currency || 'USD') : '';
};
const formatCentsField = ({ facts }: Context, field: string): string => {
  const cents = facts[field];
  return typeof cents === 'number' ? formatMoney(cents, 'USD') : '';
};
const numberOf = ({ facts, subject, id }: Context): string => textOf(facts.number) || subject?.number || id;
const reversalKind = ({ facts, subject }: Pick<Context, 'facts' | 'subject'>): string =>
  textOf(facts.kind) || subject?.kind || 'refund or void';
const describePayment = (context: Context): string =>
  `the payment of ${numberOf(context)}${withLead(', ', formatAmount(context))}`;
const describeReversal = (context: Context): string =>
  `the ${reversalKind(context)} of ${numberOf(context)}${withLead(', ', formatAmount(context))}`;
/** The requester’s reason for a reversal. `lead` attributes it to the requester, unless the requester acts. */
const reasonSuffix = ({ facts, subject }: Context, lead = ', requested with the reason: '): string =>
  withLead(lead, facts.reason ?? subject?.reason);
const describeInvoice = (context: Context): string => `invoice ${numberOf(context)}`;
/** Names a clinic by its name, or by its number if it was erased. */
const clinicName = ({ subject, id }: Context): string => subject?.number || `clinic ${id}`;
const stateOf = ({ facts }: Context): string => textOf(facts.state).replaceAll('_', ' ') || 'unknown';
/** A batch's id is `terminal/number`. */
const describeBatch = ({ id }: Context): string => {
  const [terminal = '', number = id] = id.split('/');
  return `batch ${number}${number === id ? '' : ` of terminal ${terminal}`}`;
};
const subjectName = ({ facts, name, id }: Context): string => name ?? (textOf(facts.name) || id);
const describeArticle = ({ facts, before, kind, id }: Context): string =>
  `the ${kind} “${textOf(facts.title) || textOf(facts.slug) || textOf(before.slug) || id}”`;
const noteSuffix = ({ facts }: Context): string => withLead(', note: ', facts.note);
/** A typed name proves nothing, so it is added to the actor's name and never replaces it. */
const signedSuffix = (actorName: string, name: unknown): string =>
  actorName.startsWith(textOf(name)) ? '' : withLead(' as ', name);
const timesSuffix = ({ facts }: Context): string =>
  typeof facts.n === 'number' && facts.n > 1 ? `, ${facts.n} times` : '';

/** The predicate for a payer's own payment with its immediate outcome. Null if another actor recorded the outcome. */
function payerOutcome(context: Context): string | null {
  if (!context.isPayer) return null;
  const target = `${numberOf(context)}${withLead(', ', formatAmount(context))}`;
  return stateOf(context) === 'approved' ? `paid ${target}` : `tried to pay ${target}: ${stateOf(context)}`;
}

/** If the provider approved the reversal, the sentence names it. A later change of the amount was detected here. */
const describeReversalMove: Predicate = (context) =>
  context.facts.state === 'approved' && context.before.amountCents === undefined
    ? { whole: `${otherActors.provider} approved ${describeReversal(context)}${reasonSuffix(context)}` }
    : `recorded as ${stateOf(context)}: ${describeReversal(context)}${reasonSuffix(context)}`;

const describeApprovalDecision: Predicate = (context) => {
  const [{ state, withdrawn }, request] = [context.facts, `the request for ${describeReversal(context)}`];
  if (withdrawn === true) return `withdrew ${request}${reasonSuffix(context, ', reason: ')}`;
  if (state === 'ended') return `ended ${request}, which was not carried out${reasonSuffix(context)}`;
  if (state === 'waiting') return `put ${request} back to waiting for approval${reasonSuffix(context)}`;
  return `${state === 'approved' ? 'approved' : 'refused'} ${describeReversal(context)}${noteSuffix(context)}${reasonSuffix(context)}`;
};

const describeMailRequest: Predicate = (context) => {
  const { kind, withItems, to } = context.facts;
  if (kind === 'reminder-test') return `sent a test reminder about ${describeInvoice(context)}`;
  const detail = kind ? ` (${textOf(kind)}${withItems === true ? ', with what is on the bill' : ''})` : '';
  return `sent a mail${detail} about ${describeInvoice(context)}${withLead(' to another address, ', to)}`;
};

const describeExport: Predicate = ({ facts, id }) => {
  const day = (value: unknown) => (textOf(value) ? dateIn('en', textOf(value)) : '');
  const period = `${withLead(' from ', day(facts.from))}${withLead(' to ', day(facts.to))}`;
  return `exported ${id || 'a list'}${period}${withLead(', rows: ', facts.rows)}`;
};

const roleName = (value: unknown): string => {
  const role = textOf(value);
  return Object.hasOwn(roleWords, role) ? roleWords[role as keyof typeof roleWords].name.toLowerCase() : role;
};

/** An event contains the previous role even if it did not change. */
const describeStaffChange: Predicate = (context) => {
  const { facts, before } = context;
  if (facts.confirmed === true && (!facts.role || facts.role === before.role))
    return `confirmed ${subjectName(context)}${withLead(' as ', roleName(before.role))}`;
  if (facts.renamed === true && !facts.role) return `changed the name of ${subjectName(context)}`;
  return `changed the rights of ${subjectName(context)}${withLead(' to ', roleName(facts.role))}`;
};

const describeReminderChange: Predicate = ({ facts }) => {
  const days = textOf(facts.days);
  return days ? `set reminders to ${describeDays(days.split(',').map(Number))}` : 'switched reminders off';
};

/** The predicate for each action. */
const predicates: Record<AuditAction, Predicate> = {
  'payment.claimed': (context) => `started ${describePayment(context)}`,
  'payment.moved': (context) => payerOutcome(context) ?? `recorded ${describePayment(context)} as ${stateOf(context)}`,
  'payment.resolved': (context) =>
    `decided that ${describePayment(context)} is ${stateOf(context)}${noteSuffix(context)}`,
  'look-alikes.set-aside': (context) =>
    `decided that ${textOf(context.facts.payments) || 'some'} payments that look alike are not duplicates${withLead(', each ', formatAmount(context))}${noteSuffix(context)}`,
  'payment.found': (context) => `found ${describePayment(context)} at the card provider, which was missing here`,
  'reversal.claimed': (context) => `asked for ${describeReversal(context)}${reasonSuffix(context, ', reason: ')}`,
  'reversal.moved': describeReversalMove,
  'reversal.resolved': (context) =>
    `decided that ${describeReversal(context)} is ${stateOf(context)}${noteSuffix(context)}${reasonSuffix(context)}`,
  'invoice.reopened': (context) => `reopened ${describeInvoice(context)} for payment`,
  'batch-close.claimed': (context) => `asked to close ${describeBatch(context)}`,
  'batch-close.moved': (context) => `recorded ${describeBatch(context)} as ${stateOf(context)}`,
  'link.issued': (context) => `issued a payment link for ${describeInvoice(context)}`,
  'link.extended': (context) => `extended the payment link of ${describeInvoice(context)}`,
  'link.revoked': (context) => `ended the payment link of ${describeInvoice(context)}`,
  'support-view.granted': () => 'allowed support to look at this account for an hour',
  'support-view.ended': () => 'ended the access of support to this account',
  'support-view.opened': (context) =>
    `looked at ${context.kind === 'clinic' ? clinicName(context) : 'this account'} for support`,
  'link.revocation-asked': (context) => `asked to end the payment link of ${describeInvoice(context)}`,
  'link.revocation-undone': (context) => `kept the payment link of ${describeInvoice(context)} after all`,
  'link.ended': (context) => `ended the expired payment link of ${describeInvoice(context)}`,
  'mailing.asked-for': ({ facts }) => `asked to mail payment links${withLead(', invoices: ', facts.invoices)}`,
  'mailing.stopped': () => 'stopped mailing payment links',
  'mail.asked-for': describeMailRequest,
  'session.opened': () => 'logged in',
  'session.ended': () => 'logged out',
  'login.refused': (context) => `was refused a login${timesSuffix(context)}`,
  'access.refused': (context) => `was refused ${textOf(context.facts.route) || 'a request'}${timesSuffix(context)}`,
  'webhook.forged': (context) => `sent a message that is not the provider’s${timesSuffix(context)}`,
  'account.connected': () => 'connected the CRM account',
  'grant.revoked': () => 'lost access to the CRM account',
  'merchant.claimed': () => 'began an application at the card provider',
  'merchant.applied': () => 'applied at the card provider',
  'merchant.released': () => 'gave up an application at the card provider',
  'merchant.moved': ({ facts }) =>
    `told of the application: ${textOf(facts.told) || 'a change'}${withLead(', which is now ', facts.to)}`,
  'footer.changed': () => 'changed the text under printed invoices',
  'signature.saved': (context) => `saved the signature on ${describeInvoice(context)}`,
  'signature.removed': (context) => `removed the signature from ${describeInvoice(context)}`,
  'list.exported': describeExport,
  'seal-mail.switched': ({ facts }) =>
    `switched the weekly mail of the newest seal ${facts.weekly === false ? 'off' : 'on'}`,
  'content-user.registered': () => 'registered for the content area',
  'content-user.changed': (context) =>
    `changed the rights of ${subjectName(context)}${withLead(' to ', context.facts.role)}`,
  'content-user.removed': (context) => `removed ${subjectName(context)} from the content area`,
  'invitation.sent': (context) => `sent an invitation${withLead(' as ', context.facts.role)}`,
  'invitation.ended': () => 'cancelled an invitation',
  'password.reset-asked': (context) => `asked for a new password for ${subjectName(context)}`,
  'password.changed': () => 'set a new password',
  'content-passkey.added': () => 'made a passkey for the content area',
  'content-passkey.removed': () => 'removed a passkey of the content area',
  'recovery-code.used': () => 'logged in with a recovery code',
  'recovery-codes.made': () => 'made new recovery codes',
  'second-factor.removed': (context) => `removed the passkeys and recovery codes of ${subjectName(context)}`,
  'article.published': (context) => `published ${describeArticle(context)}`,
  'article.edited': (context) =>
    `${context.facts.restored ? 'restored an earlier version of' : 'changed'} ${describeArticle(context)}, which is published`,
  'article.unpublished': (context) => `took ${describeArticle(context)} off the public site`,
  'article.scheduled': (context) =>
    context.facts.startsAt
      ? `planned that ${describeArticle(context)} goes live at ${textOf(context.facts.startsAt)}${withLead(' and ends at ', context.facts.endsAt)}`
      : `took back when ${describeArticle(context)} goes live`,
  'article.deleted': (context) => `deleted ${describeArticle(context)}`,
  'article.restored': (context) => `brought ${describeArticle(context)} back from the trash`,
  'media.deleted': ({ id }) => `deleted the file ${id}`,
  'script.approved': ({ facts, actorName }) =>
    `approved a version of a script of others on the pay page${signedSuffix(actorName, facts.by)}${withLead(', reason: ', facts.reason)}`,
  'alert.acknowledged': ({ facts, id, actorName }) =>
    `acknowledged the alert ${id}${signedSuffix(actorName, facts.by)}`,
  'person.erased': ({ facts }) => `erased what is stored about a person${withLead(', rows: ', facts.rows)}`,
  'person.exported': ({ facts }) => `downloaded what is stored about a person${withLead(', rows: ', facts.rows)}`,
  'operator.invited': () => 'gave out a code for a new operator',
  'operator.invitation-ended': () => 'withdrew an unused code for a new operator',
  'operator.enrolled': ({ facts, actorName }) => `became an operator${signedSuffix(actorName, facts.name)}`,
  'operator.removed': ({ before, id }) => `removed the operator ${textOf(before.name) || id}`,
  'clinic.woken': (context) => `ran the pending work of ${clinicName(context)} right away`,
  'mail.sent-again': ({ facts, subject }) =>
    `resent an email${facts.clinic ? ` of ${subject?.number || `clinic ${textOf(facts.clinic)}`}` : ''}`,
  'build.started': () => 'started a build of the public site',
  'payments.paused': ({ facts }) => `paused all online payments${withLead(', reason: ', facts.reason)}`,
  'payments.resumed': ({ facts }) => `resumed online payments${withLead(', reason: ', facts.reason)}`,
  'staff.invited': ({ facts, subject }) =>
    `invited ${subject?.number || 'a person'}${withLead(' as ', roleName(facts.role))}`,
  'staff.invitation-ended': ({ subject }) =>
    subject?.number ? `cancelled the invitation of ${subject.number}` : 'cancelled an invitation of staff',
  'staff.joined': ({ facts }) => `accepted an invitation${withLead(' as ', roleName(facts.role))}`,
  'staff.changed': describeStaffChange,
  'staff.removed': (context) => `removed ${subjectName(context)} from the staff`,
  'sessions.ended': ({ name, actorName }) =>
    name && name !== actorName ? `logged ${name} out everywhere` : 'logged out everywhere',
  'refund-limit.changed': ({ facts }) =>
    typeof facts.cents === 'number'
      ? `allowed managers to refund ${formatMoney(facts.cents, 'USD')} within 24 hours`
      : 'allowed only administrators to refund',
  'session.proved': ({ facts }) => `confirmed their identity${withLead(', by ', facts.by)}`,
  'passkey.added': () => 'added a passkey of their own',
  'passkey.removed': () => 'removed a passkey of their own',
  'pin.set': () => 'set their PIN',
  'pin.removed': () => 'removed their PIN',
  'pin.locked': (context) => `entered a wrong PIN of ${subjectName(context)} until it was locked`,
  'factors.removed': (context) => `removed the passkeys and PIN of ${subjectName(context)}`,
  'second-person.changed': ({ facts }) =>
    typeof facts.cents === 'number'
      ? `required a second person to approve refunds above ${formatMoney(facts.cents, 'USD')} of a payment`
      : 'allowed refunds without a second person',
  'approval.asked': (context) =>
    `asked a second person to approve ${describeReversal(context)}${reasonSuffix(context, ', reason: ')}`,
  'approval.decided': describeApprovalDecision,
  'archive.asked-for': () => 'asked for a download of all records',
  'archive.fetched': ({ facts }) => `downloaded all records${withLead(', rows and files: ', facts.rows)}`,
  'closing.asked-for': ({ facts }) => `asked to close the account${withLead(' on ', facts.day)}`,
  'closing.taken-back': () => 'cancelled the closing of the account',
  'closing.put-off': ({ facts }) => `could not close the account yet${withLead(': ', facts.why)}`,
  'first-hour.decided': ({ facts }) =>
    facts.mails === true
      ? 'looked at the emails that customers get'
      : `${facts.ended === false ? 'brought back' : 'put away'} the list of the first hour`,
  'reminders.changed': describeReminderChange,
  'reminders.stopped': () => 'stopped the reminders to their address',
  'reminders.excluded': (context) =>
    `${context.facts.excluded === false ? 'let' : 'left'} ${describeInvoice(context)} ${context.facts.excluded === false ? 'be reminded again' : 'out of reminders'}`,
  'notices.changed': ({ facts }) =>
    facts.how === 'never'
      ? 'stopped their own emails about paid links'
      : `gets emails about paid links${withLead(', ', facts.how)}`,
  'write-back.changed': ({ facts }) =>
    `switched recording of payments in ${partners.crm} ${facts.on === true ? 'on' : 'off'}`,
  'bill-lines.changed': ({ facts }) =>
    `${facts.on === true ? 'showed' : 'hid'} the items of bills ${facts.on === true ? 'to' : 'from'} payers`,
  'bank-payments.changed': ({ facts }) => `switched payments by bank account ${facts.on === true ? 'on' : 'off'}`,
  'apple-pay.changed': ({ facts }) => `switched Apple Pay ${facts.on === true ? 'on' : 'off'}`,
  'google-pay.changed': ({ facts }) => `switched Google Pay ${facts.on === true ? 'on' : 'off'}`,
  'payer-language.changed': ({ facts }) =>
    `set the language of payers to ${payerLanguageNames[readLanguage(textOf(facts.language)) ?? 'en']}`,
  'payment.recorded-by-hand': ({ facts }) =>
    `noted that a ${facts.refund === true ? 'refund' : 'payment'} was recorded in ${partners.crm} by hand${withLead(': ', facts.note)}`,
  'parts.switched': ({ facts }) => `switched partial payments ${facts.on === true ? 'on' : 'off'}`,
  'parts.opened': (context) =>
    `allowed partial payments of ${describeInvoice(context)}${withLead(', in all ', formatCentsField(context, 'baseCents'))}`,
  'parts.frozen': (context) =>
    `stopped partial payments of ${describeInvoice(context)}: its amount in ${partners.crm} changed${withLead(' to ', formatCentsField(context, 'balanceCents'))}`,
  'parts.decided': (context) =>
    `decided what is owed of ${describeInvoice(context)}${withLead(': ', formatCentsField(context, 'baseCents'))}`,
  'parts.closed': (context) => `ended partial payments of ${describeInvoice(context)}`,
  'operator.called': (context) =>
    `asked for ${textOf(context.facts.route) || 'something'}${context.kind === 'clinic' ? ` of ${clinicName(context)}` : ''}`,
  'clinic.restored': (context) =>
    `put ${context.kind === 'clinic' ? `the records of ${clinicName(context)}` : 'the installation'} back${withLead(', rows: ', context.facts.rows)}`,
  'clinic.erased': (context) => `erased ${clinicName(context)}${withLead(', kept rows: ', context.facts.rows)}`,
};

/** Names of actors other than staff and content users. */
const otherActors: Record<Exclude<AuditEvent['actorKind'], 'user' | 'content'>, string> = {
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
  if (actorKind === 'operator') return names.get(`operator:${actorId}`) ?? otherActors.operator;
  if (actorKind !== 'user' && actorKind !== 'content') return otherActors[actorKind] ?? actorKind;
  return names.get(`${actorKind}:${actorId}`) ?? (actorId ? `A former member (${actorId})` : 'A stranger');
}

/** The kind of row that an event is about; a reversal is named by its own kind. */
export const kindOf = ({ subjectKind, after }: AuditEvent, subject: Subject | undefined): string =>
  subjectKind === 'reversal' ? reversalKind({ facts: factsOf(after), subject }) : subjectKind;

/**
 * Returns an event as one English sentence, the same for screen, CSV and email. An action unknown to this version is
 * shown by its code name.
 */
export function sentenceOf(event: AuditEvent, names: Map<string, string>, subject: Subject | undefined): string {
  const before = factsOf(event.before);
  const facts = factsOf(event.after);
  const { subjectKind: kind, subjectId: id } = event;
  const name = names.get(kind === 'content-user' ? `content:${id}` : kind === 'staff' ? `user:${id}` : '');
  const actorName = nameOf(event, names);
  const context = { facts, before, subject, kind, id, name, actorName, isPayer: event.actorKind === 'payer' };
  const predicate = Object.hasOwn(predicates, event.action) ? predicates[event.action as AuditAction] : undefined;
  const clause = predicate ? predicate(context) : `did ${event.action}${withLead(' to ', event.subjectId)}`;
  const sentence = typeof clause === 'string' ? `${actorName} ${clause}` : clause.whole;
  // A reason may end with its own period.
  return `${sentence.replace(/\.$/, '')}.`;
}
