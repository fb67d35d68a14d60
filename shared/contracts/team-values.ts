/** Plain values of staff; apart from team.ts, so that neither a page nor a payer's request loads the validator for them. */

/** What staff may do, from the least: each role may do all that those before it may (worker/security/roles.ts). */
export const staffRoles = ['reader', 'desk', 'manager', 'admin'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** For screens and mails. */
export const staffRoleNames: Record<StaffRole, { name: string; as: string; may: string }> = {
  reader: { name: 'Reader', as: 'a reader', may: 'sees everything and changes nothing' },
  desk: { name: 'Front desk', as: 'front desk staff', may: 'takes payments, sends pay links and mails' },
  manager: { name: 'Manager', as: 'a manager', may: 'also closes batches, and refunds up to an amount' },
  admin: { name: 'Administrator', as: 'an administrator', may: 'also refunds, and decides who may come in' },
};

/** "as a manager. A manager also closes batches, and refunds up to an amount." */
export function sayRole(role: StaffRole): string {
  const { as, may } = staffRoleNames[role];
  return `as ${as}. ${as.charAt(0).toUpperCase()}${as.slice(1)} ${may}.`;
}

/** By what a session began. */
export const sessionBeginnings = ['crm', 'passkey', 'code', 'pin'] as const;
export type SessionBeginning = (typeof sessionBeginnings)[number];

/** The number of whoever looks at a clinic for the operator: no person of the clinic, who may only read. */
export const SUPPORT_USER = 0;
/** How long (ms) the operator may look at a clinic that lets them. */
export const SUPPORT_VIEW_MS = 60 * 60_000;
