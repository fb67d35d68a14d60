/** Roles, rights and sessions of staff, without the validator: login pages load this file. */

/** Acts that not every role may do. Everybody on the team sees the account. */
export const staffRights = [
  /** Take payments, make and send pay links and mails. */
  'collect',
  'close-batches',
  /** Void and refund payments, up to the account's limit, and approve what a colleague asks for. */
  'refund',
  'refund-any-amount',
  /** Set what payers see, reminders and installments. */
  'configure',
  /** See what payers are shown, approvals and unrecorded payments. */
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

/** Each role is a set of rights; how screens and mails name it is in shared/text/staff-roles.ts. */
export const rightsOf: Record<StaffRole, readonly StaffRight[]> = {
  reader: [],
  bookkeeper: ['oversee', 'reconcile', 'audit'],
  desk: ['collect'],
  manager: MANAGER,
  admin: [...MANAGER, 'refund-any-amount', 'audit', 'administer'],
};

export const may = (role: StaffRole, right: StaffRight): boolean => rightsOf[role].includes(right);
export const rolesWith = (right: StaffRight): StaffRole[] => staffRoles.filter((role) => may(role, right));

/** By what a session began. */
export const sessionBeginnings = ['crm', 'passkey', 'code', 'pin'] as const;
export type SessionBeginning = (typeof sessionBeginnings)[number];

/** The number of whoever looks at a clinic for the operator: no person of the clinic, who may only read. */
export const SUPPORT_USER = 0;
/** How long (ms) the operator may look at a clinic that lets them. */
export const SUPPORT_VIEW_MS = 60 * 60_000;
