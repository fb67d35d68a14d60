import { type StaffRole, staffRoles } from '#shared/contracts/team-values';

/** Who may use a route. Guards decide by it; a route whose caller is guarded is not served without a guard. */
export type Who =
  | 'anyone'
  /** The address contains a secret that only they received. */
  | 'holder of a pay link'
  | 'holder of a receipt link'
  | 'holder of a preview link'
  | 'holder of an invitation'
  | 'holder of a stop link'
  /**
   * Staff of a merchant of at least this role, by their access token. A write from a browser needs the refresh cookie
   * too. Who may do more may do this as well.
   */
  | StaffRole
  /** Staff with an access token, by the CRM's id; without one, the holder of the pay link. */
  | 'staff or holder of a pay link'
  | 'staff by cookie'
  | 'holder of the refresh cookie'
  | 'holder of the token itself'
  /** Members of the content area by their access token, once an owner has approved them. */
  | 'editor'
  | 'owner'
  | 'editor by cookie'
  | 'content account, even a waiting one'
  /** Who runs the installation, by the session's cookie; to act, the passkey must have been shown within minutes. */
  | 'operator'
  | 'operator who just showed the passkey'
  /** Programs, each by its own secret. */
  | 'provider webhook'
  | 'site builder'
  | 'tamper monitor'
  | 'operator program';

/** The others are checked by their handlers, from a secret in the address or a cookie. */
const GUARDED: readonly Who[] = [
  ...staffRoles,
  'staff or holder of a pay link',
  'editor',
  'owner',
  'operator',
  'operator who just showed the passkey',
  'operator program',
  'tamper monitor',
  'site builder',
];

export const isStaffRole = (who: Who): who is StaffRole => staffRoles.some((role) => role === who);
export const isGuarded = (who: Who): boolean => GUARDED.includes(who);
