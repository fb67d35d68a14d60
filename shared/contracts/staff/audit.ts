import * as z from 'zod/mini';
import type { AuditAction } from '#shared/audit';

/** Responses of the audit trail. Times are ISO 8601 in UTC. */

export const AuditEventItem = z.object({
  /** The event's number in its account, consecutive from 1. */
  seq: z.number(),
  at: z.string(),
  /** An action of shared/audit.ts and its group; a newer Worker may add more of both. */
  action: z.string(),
  group: z.string(),
  /** Description of the event. */
  sentence: z.string(),
  /** The actor, in the format of the filter `person`, and the actor's name. */
  person: z.string(),
  name: z.string(),
  /** The subject, with its id in the format of the filter `about`; empty for the account itself. */
  subject: z.object({ kind: z.string(), id: z.string() }),
  /** Fields that the action set, before and after it, formatted for display; null if the field was not set. */
  changes: z.array(z.object({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) })),
  /** The session, and a keyed hash of the IP address; empty if there was none. */
  session: z.string(),
  address: z.string(),
});
export type AuditEventItem = z.infer<typeof AuditEventItem>;

/** The newest link of the hash chain. */
export const AuditHead = z.object({
  seq: z.number(),
  hash: z.string(),
  /** Number of events covered by it and all earlier links. */
  count: z.number(),
  at: z.string(),
});
export type AuditHead = z.infer<typeof AuditHead>;

/** Last event of the verified chain, and the time of verification. `problem`: the mismatch, or empty. */
export const AuditVerified = z.object({ seq: z.number(), at: z.string(), problem: z.string() });
export type AuditVerified = z.infer<typeof AuditVerified>;

/** GET /api/audit, GET /api/cms/audit: newest first. */
export const AuditView = z.object({
  events: z.array(AuditEventItem),
  /** `before` of the next page; null if there are no older events. */
  next: z.nullable(z.number()),
  /** Time of the oldest event checked, if the search stopped after several thousand; null if the page is full. */
  looked_back_to: z.nullable(z.string()),
  /** Options of the filter `person`. */
  people: z.array(z.object({ person: z.string(), name: z.string() })),
  /** Null if no event was sealed yet. */
  head: z.nullable(AuditHead),
  verified: z.nullable(AuditVerified),
  /** Number of recent events without a seal. */
  unsealed: z.number(),
  /** True if the newest seal is emailed to the caller weekly; null if email is not available. */
  weekly_mail: z.nullable(z.boolean()),
});
export type AuditView = z.infer<typeof AuditView>;

/** GET /api/audit/head, GET /api/cms/audit/head: for external storage and later comparison. */
export const AuditHeadFile = z.object({
  account: z.number(),
  head: z.nullable(AuditHead),
  /** The newest heads stored outside the database, newest first. */
  anchors: z.array(z.object({ seq: z.number(), hash: z.string(), count: z.number(), at: z.string() })),
  how_to_verify: z.array(z.string()),
});
export type AuditHeadFile = z.infer<typeof AuditHeadFile>;

/** PUT /api/audit/mail */
export const AuditMailReply = z.object({ weekly: z.boolean() });
export type AuditMailReply = z.infer<typeof AuditMailReply>;

/** Filter groups of the audit trail, in display order. */
export const auditGroups = {
  money: 'Payments and refunds',
  batches: 'Batches and checks',
  links: 'Payment links and mails',
  access: 'Logins and rights',
  settings: 'Settings and exports',
  content: 'Public site',
} as const;
export type AuditGroup = keyof typeof auditGroups;

/** The group of each action. */
export const groupOf: Record<AuditAction, AuditGroup> = {
  'payment.claimed': 'money',
  'payment.moved': 'money',
  'payment.resolved': 'batches',
  'look-alikes.set-aside': 'batches',
  'payment.found': 'batches',
  'reversal.claimed': 'money',
  'reversal.moved': 'money',
  'reversal.resolved': 'batches',
  'invoice.reopened': 'money',
  'batch-close.claimed': 'batches',
  'batch-close.moved': 'batches',
  'link.issued': 'links',
  'link.extended': 'links',
  'link.revoked': 'links',
  'support-view.granted': 'access',
  'support-view.ended': 'access',
  'support-view.opened': 'access',
  'link.revocation-asked': 'links',
  'link.revocation-undone': 'links',
  'link.ended': 'links',
  'mail.asked-for': 'links',
  'mailing.asked-for': 'links',
  'mailing.stopped': 'links',
  'session.opened': 'access',
  'session.ended': 'access',
  'login.refused': 'access',
  'access.refused': 'access',
  'webhook.forged': 'access',
  'account.connected': 'access',
  'grant.revoked': 'access',
  'merchant.claimed': 'access',
  'merchant.applied': 'access',
  'merchant.released': 'access',
  'merchant.moved': 'access',
  'footer.changed': 'settings',
  'signature.saved': 'links',
  'signature.removed': 'links',
  'list.exported': 'settings',
  'seal-mail.switched': 'settings',
  'content-user.registered': 'access',
  'content-user.changed': 'access',
  'content-user.removed': 'access',
  'invitation.sent': 'access',
  'invitation.ended': 'access',
  'password.reset-asked': 'access',
  'password.changed': 'access',
  'content-passkey.added': 'access',
  'content-passkey.removed': 'access',
  'recovery-code.used': 'access',
  'recovery-codes.made': 'access',
  'second-factor.removed': 'access',
  'article.published': 'content',
  'article.edited': 'content',
  'article.unpublished': 'content',
  'article.scheduled': 'content',
  'article.deleted': 'content',
  'article.restored': 'content',
  'media.deleted': 'content',
  'script.approved': 'settings',
  'person.erased': 'access',
  'person.exported': 'access',
  'operator.invited': 'access',
  'operator.invitation-ended': 'access',
  'operator.enrolled': 'access',
  'operator.removed': 'access',
  'operator.called': 'access',
  'clinic.restored': 'settings',
  'clinic.erased': 'settings',
  'alert.acknowledged': 'settings',
  'clinic.woken': 'settings',
  'mail.sent-again': 'settings',
  'build.started': 'settings',
  'payments.paused': 'settings',
  'payments.resumed': 'settings',
  'staff.invited': 'access',
  'staff.invitation-ended': 'access',
  'staff.joined': 'access',
  'staff.changed': 'access',
  'staff.removed': 'access',
  'sessions.ended': 'access',
  'archive.asked-for': 'settings',
  'archive.fetched': 'settings',
  'closing.asked-for': 'settings',
  'closing.taken-back': 'settings',
  'closing.put-off': 'settings',
  'refund-limit.changed': 'settings',
  'session.proved': 'access',
  'passkey.added': 'access',
  'passkey.removed': 'access',
  'pin.set': 'access',
  'pin.removed': 'access',
  'pin.locked': 'access',
  'factors.removed': 'access',
  'second-person.changed': 'settings',
  'approval.asked': 'money',
  'approval.decided': 'money',
  'first-hour.decided': 'settings',
  'reminders.changed': 'settings',
  'reminders.stopped': 'links',
  'reminders.excluded': 'links',
  'notices.changed': 'settings',
  'write-back.changed': 'settings',
  'bill-lines.changed': 'settings',
  'bank-payments.changed': 'settings',
  'apple-pay.changed': 'settings',
  'google-pay.changed': 'settings',
  'payer-language.changed': 'settings',
  'payment.recorded-by-hand': 'money',
  'parts.switched': 'settings',
  'parts.opened': 'money',
  'parts.frozen': 'money',
  'parts.decided': 'money',
  'parts.closed': 'money',
};
