import type { AuditAction } from '../audit.ts';

/** Plain values of the audit trail's list; apart from audit.ts, so that no page loads the validator for them. */

/** What the trail can be filtered by, in the order in which screens offer it. */
export const auditGroups = {
  money: 'Payments and refunds',
  batches: 'Batches and checks',
  links: 'Pay links and mails',
  access: 'Logins and rights',
  settings: 'Settings and exports',
  content: 'Public site',
} as const;
export type AuditGroup = keyof typeof auditGroups;

/** The group of each act. */
export const groupOf: Record<AuditAction, AuditGroup> = {
  'payment.claimed': 'money',
  'payment.moved': 'money',
  'payment.resolved': 'batches',
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
  'link.ended': 'links',
  'mail.asked-for': 'links',
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
  'article.published': 'content',
  'article.edited': 'content',
  'article.unpublished': 'content',
  'article.deleted': 'content',
  'media.deleted': 'content',
  'script.approved': 'settings',
  'person.erased': 'access',
  'alert.acknowledged': 'settings',
};
