/** Roles, rights and sessions of staff, without the validator: login pages load this file. */

/** Rights that not every role has. Every team member may view the account. */
export const staffRights = [
  /** Take payments, create pay links, and send emails. */
  'collect',
  'close-batches',
  /** Void and refund payments, up to the account's limit, and approve requests of colleagues. */
  'refund',
  'refund-any-amount',
  /** Change what payers see, reminders and installments. */
  'configure',
  /** View payer settings, approvals and unrecorded payments. */
  'oversee',
  /** Compare with the card provider's records, and mark payments as recorded in the CRM. */
  'reconcile',
  /** Read and export the audit trail. */
  'audit',
  /** Manage the team, the account and its unclear payments. */
  'administer',
] as const;
export type StaffRight = (typeof staffRights)[number];

export const staffRoles = ['reader', 'bookkeeper', 'desk', 'manager', 'admin'] as const;
export type StaffRole = (typeof staffRoles)[number];

const MANAGER = ['collect', 'close-batches', 'refund', 'configure', 'oversee', 'reconcile'] as const;

/** The rights of each role. Display names are in shared/text/staff-roles.ts. */
export const rightsOf: Record<StaffRole, readonly StaffRight[]> = {
  reader: [],
  bookkeeper: ['oversee', 'reconcile', 'audit'],
  desk: ['collect'],
  manager: MANAGER,
  admin: [...MANAGER, 'refund-any-amount', 'audit', 'administer'],
};

export const hasRight = (role: StaffRole, right: StaffRight): boolean => rightsOf[role].includes(right);
export const rolesWith = (right: StaffRight): StaffRole[] => staffRoles.filter((role) => hasRight(role, right));

/** How a session was started. */
export const sessionBeginnings = ['crm', 'passkey', 'code', 'pin'] as const;
export type SessionBeginning = (typeof sessionBeginnings)[number];

/** User id of the operator's read-only support view; not a member of the clinic's staff. */
export const SUPPORT_USER = 0;
/** Duration of granted support access (ms). */
export const SUPPORT_VIEW_MS = 60 * 60_000;
