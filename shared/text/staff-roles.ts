import type { Colleague } from '../contracts/staff/session.ts';
import { rolesWith, type StaffRight, type StaffRole } from '../contracts/staff/team-values.ts';

/** Display names of the roles, and one line about the permissions of each. */
export const roleWords: Record<StaffRole, { name: string; withArticle: string; permissions: string }> = {
  reader: { name: 'Reader', withArticle: 'a reader', permissions: 'sees everything and changes nothing' },
  bookkeeper: {
    name: 'Bookkeeper',
    withArticle: 'a bookkeeper',
    permissions:
      'sees and exports everything and compares payments with the card provider, but takes and refunds nothing',
  },
  desk: {
    name: 'Front desk',
    withArticle: 'front desk staff',
    permissions: 'takes payments, and emails payment links and receipts',
  },
  manager: {
    name: 'Manager',
    withArticle: 'a manager',
    permissions: 'also closes batches, changes payments settings, and refunds up to a limit',
  },
  admin: {
    name: 'Administrator',
    withArticle: 'an administrator',
    permissions: 'also refunds without a limit, and manages the team and the account',
  },
};

/** "a manager or an administrator" */
function describeRolesWith(right: StaffRight): string {
  const roleNames = rolesWith(right).map((role) => roleWords[role].withArticle);
  return [roleNames.slice(0, -1).join(', '), roleNames.at(-1)].filter(Boolean).join(' or ');
}

const MAX_NAMES = 2;

/**
 * "Grace Lindqvist (administrator)": up to two people with a right, those with more rights first; '' if none is known.
 */
function namesWithRight(right: StaffRight, colleagues: readonly Colleague[]): string {
  const roles = rolesWith(right).toReversed();
  const candidates = roles
    .flatMap((role) => colleagues.filter((colleague) => colleague.role === role))
    .slice(0, MAX_NAMES);
  return candidates.map(({ name, role }) => `${name} (${roleWords[role].name.toLowerCase()})`).join(' or ');
}

/**
 * "Only an administrator of this account may see this. Ask Grace Lindqvist (administrator)." `action`: the words after
 * "may".
 */
export function describeRightHolders(right: StaffRight, action: string, colleagues: readonly Colleague[]): string {
  const roleSentence = `Only ${describeRolesWith(right)} of this account may ${action}.`;
  const names = namesWithRight(right, colleagues);
  return names ? `${roleSentence} Ask ${names}.` : roleSentence;
}

const describeLimit = (money: string): string => `You can refund up to ${money} now.`;

/**
 * "You can refund up to $200.00 now. For a larger refund, ask Grace Lindqvist (administrator)." `money`: the formatted
 * amount.
 */
export function describeRefundLimit(money: string, colleagues: readonly Colleague[]): string {
  const contacts = namesWithRight('refund-any-amount', colleagues) || describeRolesWith('refund-any-amount');
  return `${describeLimit(money)} For a larger refund, ask ${contacts}.`;
}

/** For a payment that can only be voided as a whole and exceeds the limit. `money`: the formatted amount. */
export const describeVoidLimit = (money: string): string =>
  `A void always covers the whole payment. ${describeLimit(money)} Ask an administrator.`;

export const REFUND_LIMIT_USED_UP = 'You have used up your refund limit for 24 hours. Ask an administrator.';

/** "as a manager. A manager closes batches, changes payments settings, and refunds up to a limit." */
export function describeRole(role: StaffRole): string {
  const { withArticle, permissions } = roleWords[role];
  // "Also" compares with the role above in the list of roles.
  return `as ${withArticle}. ${withArticle.charAt(0).toUpperCase()}${withArticle.slice(1)} ${permissions.replace(/^also /, '')}.`;
}
