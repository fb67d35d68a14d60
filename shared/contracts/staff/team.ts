import * as z from 'zod/mini';
import { SecondPerson } from './proof.ts';
import { sessionBeginnings, staffRoles } from './team-values.ts';

/**
 * Calls about staff. Times are ISO 8601 in UTC. Permissions are declared with each route. Errors have the body of
 * error.ts. The last administrator cannot be removed (409).
 */

const Role = z.enum(staffRoles);

export const Member = z.object({
  id: z.number(),
  email: z.string(),
  /** Empty for members from the CRM, which provides no name. */
  name: z.string(),
  role: Role,
  /** False for a person who is an administrator only because they connected the account first. */
  is_confirmed: z.boolean(),
  is_you: z.boolean(),
  uses_crm: z.boolean(),
  /** True with a passkey or PIN; DELETE /api/team/{id}/factors removes lost ones. */
  has_factor: z.boolean(),
  last_login_at: z.nullable(z.string()),
});
export type Member = z.infer<typeof Member>;

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  /** Name or address of the inviter; empty for the operator. */
  invited_by: z.string(),
  created_at: z.string(),
  ends_at: z.string(),
});
/** POST /api/team/invitations returns one, 201, and ends an earlier one to the same address. */
export type Invitation = z.infer<typeof Invitation>;

/** GET /api/join/{secret}, from the link in an invitation email; 410 if used or expired. POST accepts it: 204. */
export const JoinOffer = z.object({
  business: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  /** Name or address of the inviter; empty for the operator, or if the inviter was removed. */
  invited_by: z.string(),
  ends_at: z.string(),
});
export type JoinOffer = z.infer<typeof JoinOffer>;

/**
 * POST /api/session/code: 202 with a cookie for every address; a code is emailed if a clinic has the address. POST
 * /api/session with that code: 204 and the session, the same 401 for every error, or this if several clinics have the
 * address: the client then repeats the code with the chosen clinic.
 */
export const ChooseClinic = z.object({ clinics: z.array(z.object({ clinic: z.number(), name: z.string() })) });
export type ChooseClinic = z.infer<typeof ChooseClinic>;

/** GET /api/team */
export const Team = z.object({
  members: z.array(Member),
  invitations: z.array(Invitation),
  /** Refund limit of a manager per 24 hours, such as "250.00"; null if they cannot refund. */
  refund_limit: z.nullable(z.string()),
  /** Amount above which a second person must approve a refund, and whether the rule is in force (proof.ts). */
  second_person: SecondPerson,
});
export type Team = z.infer<typeof Team>;

export const StaffSession = z.object({
  id: z.string(),
  is_this: z.boolean(),
  /** Such as "Firefox on Windows", reported by the browser; empty if unknown. */
  browser: z.string(),
  began_by: z.enum(sessionBeginnings),
  began_at: z.string(),
  seen_at: z.string(),
  ends_at: z.string(),
});
export type StaffSession = z.infer<typeof StaffSession>;

/** GET /api/sessions: the caller's own sessions, newest first. */
export const StaffSessions = z.object({ sessions: z.array(StaffSession) });
export type StaffSessions = z.infer<typeof StaffSessions>;
