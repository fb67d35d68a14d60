import { type StaffRight, staffRights } from '#shared/contracts/staff/team-values';

/** Who may use a route. Guards decide by it; a route whose caller is guarded is not served without a guard. */
export type Who =
  | 'anyone'
  /** The address contains a secret that only they received. */
  | 'holder of a pay link'
  | 'holder of a receipt link'
  | 'holder of a preview link'
  | 'holder of an invitation'
  | 'holder of a stop link'
  /** Staff of a merchant, by their access token. A write from a browser needs the refresh cookie too. */
  | 'staff'
  /** Staff whose role has this right. */
  | `staff: ${StaffRight}`
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

export const staffCallers: readonly Who[] = [
  'staff',
  'staff or holder of a pay link',
  ...staffRights.map((right): Who => `staff: ${right}`),
];

/** The others are checked by their handlers, from a secret in the address or a cookie. */
const GUARDED: readonly Who[] = [
  ...staffCallers,
  'editor',
  'owner',
  'operator',
  'operator who just showed the passkey',
  'operator program',
  'tamper monitor',
  'site builder',
];

export const isStaff = (who: Who): boolean => staffCallers.includes(who);
/** The right that staff need for a route; null: whoever is on the team may use it. */
export const rightOf = (who: Who): StaffRight | null => staffRights.find((right) => who === `staff: ${right}`) ?? null;
export const isGuarded = (who: Who): boolean => GUARDED.includes(who);
