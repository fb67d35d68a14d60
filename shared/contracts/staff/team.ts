import * as z from 'zod/mini';
import { SecondPerson } from './proof.ts';
import { sessionBeginnings, staffRoles } from './team-values.ts';

/**
 * Calls about staff. Times are ISO 8601 instants in UTC. Who may ask which is declared with each route; errors
 * have the body of error.ts, and one administrator always stays (409 otherwise).
 */

const Role = z.enum(staffRoles);

export const Member = z.object({
  id: z.number(),
  email: z.string(),
  /** Empty of one who came through the CRM, which tells no name. */
  name: z.string(),
  role: Role,
  /** False: an administrator only because they connected the account first. */
  is_confirmed: z.boolean(),
  is_you: z.boolean(),
  uses_crm: z.boolean(),
  /** A passkey or a PIN, which DELETE /api/team/{id}/factors takes away from who lost it. */
  has_factor: z.boolean(),
  last_login_at: z.nullable(z.string()),
});
export type Member = z.infer<typeof Member>;

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  /** Name or address of who sent it; empty for the operator. */
  invited_by: z.string(),
  created_at: z.string(),
  ends_at: z.string(),
});
/** POST /api/team/invitations answers one, 201; an earlier one to the same address has ended. */
export type Invitation = z.infer<typeof Invitation>;

/** GET /api/join/{secret}, of the link in an invitation's mail; 410 once it was used or has ended. POST accepts it: 204. */
export const JoinOffer = z.object({
  business: z.string(),
  email: z.string(),
  name: z.string(),
  role: Role,
  /** Name or address of who sent it; empty for the operator, and for one who was removed since. */
  invited_by: z.string(),
  ends_at: z.string(),
});
export type JoinOffer = z.infer<typeof JoinOffer>;

/**
 * POST /api/session/code: 202 whatever the address, with a cookie; a code comes by mail where a clinic knows it. POST
 * /api/session with that code: 204 and the session, 401 alike for all that is wrong, or this, where several clinics know
 * the address: the same code opens the one that is named next.
 */
export const ChooseClinic = z.object({ clinics: z.array(z.object({ clinic: z.number(), name: z.string() })) });
export type ChooseClinic = z.infer<typeof ChooseClinic>;

/** GET /api/team */
export const Team = z.object({
  members: z.array(Member),
  invitations: z.array(Invitation),
  /** What a manager may give back within 24 hours, such as "250.00"; null: nothing. */
  refund_limit: z.nullable(z.string()),
  /** Above which amount a second person has to approve a refund, and whether there is one who could (proof.ts). */
  second_person: SecondPerson,
});
export type Team = z.infer<typeof Team>;

export const StaffSession = z.object({
  id: z.string(),
  is_this: z.boolean(),
  /** Such as "Firefox on Windows", as the browser said; empty where it did not. */
  browser: z.string(),
  began_by: z.enum(sessionBeginnings),
  began_at: z.string(),
  seen_at: z.string(),
  ends_at: z.string(),
});
export type StaffSession = z.infer<typeof StaffSession>;

/** GET /api/sessions: the caller's own, the newest first. */
export const StaffSessions = z.object({ sessions: z.array(StaffSession) });
export type StaffSessions = z.infer<typeof StaffSessions>;
