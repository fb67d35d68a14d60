import { type StaffRight, staffRights } from '#shared/contracts/staff/team-values';

/** The callers that may use a route. A route for a guarded caller is not served without a guard. */
export type RouteAccess =
  | 'anyone'
  /** The URL contains a secret that only the holder received. */
  | 'holder of a pay link'
  | 'holder of a receipt link'
  | 'holder of a preview link'
  | 'holder of an invitation'
  | 'holder of a stop link'
  /** Staff of a merchant, by their access token. A write from a browser also needs the refresh cookie. */
  | 'staff'
  /** Staff whose role has this right. */
  | `staff: ${StaffRight}`
  /** Staff with an access token, using the CRM's invoice id, or the holder of the pay link. */
  | 'staff or holder of a pay link'
  | 'staff by cookie'
  | 'holder of the refresh cookie'
  | 'holder of the token itself'
  /** Members of the content area by their access token, once an owner has approved them. */
  | 'editor'
  | 'owner'
  | 'editor by cookie'
  | 'content account, even a waiting one'
  /** The operator of the installation, by the session cookie. Changes require a recent passkey check. */
  | 'operator'
  | 'operator who just showed the passkey'
  /** Programs, each identified by its own secret. */
  | 'provider webhook'
  | 'site builder'
  | 'tamper monitor'
  | 'operator program';

export const staffCallers: readonly RouteAccess[] = [
  'staff',
  'staff or holder of a pay link',
  ...staffRights.map((right): RouteAccess => `staff: ${right}`),
];

/** Callers for whom a guard is required. Handlers check all others themselves, by a secret in the URL or a cookie. */
const GUARDED: readonly RouteAccess[] = [
  ...staffCallers,
  'editor',
  'owner',
  'operator',
  'operator who just showed the passkey',
  'operator program',
  'tamper monitor',
  'site builder',
];

export const isStaff = (access: RouteAccess): boolean => staffCallers.includes(access);
/** Returns the right that staff need for a route, or null if every team member may use it. */
export const rightOf = (access: RouteAccess): StaffRight | null =>
  staffRights.find((right) => access === `staff: ${right}`) ?? null;
export const isGuarded = (access: RouteAccess): boolean => GUARDED.includes(access);
