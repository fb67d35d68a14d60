import * as z from 'zod/mini';
import { typedCents } from '#shared/money';
import { Email, personName } from '../person-request.ts';
import { staffRoles } from './team-values.ts';

/** Request bodies for staff calls, validated in the Worker. */

const Role = z.enum(staffRoles, { error: 'Please choose a role.' });
const Name = personName('Please enter the person’s name.');

/** POST /api/session/code */
export const LoginCodeBody = z.object({ email: Email });
export type LoginCodeBody = z.input<typeof LoginCodeBody>;

/** POST /api/session; spaces in the code are ignored. */
export const CodeLoginBody = z.object({
  email: Email,
  code: z.pipe(
    z.string({ error: 'Please enter the code of the mail.' }),
    z.pipe(
      z.transform((text: string) => text.replace(/\s/g, '')),
      z.string().check(z.regex(/^\d{8}$/, { error: 'The code of the mail has eight digits.' })),
    ),
  ),
  clinic: z.optional(z.number()),
});
export type CodeLoginBody = z.input<typeof CodeLoginBody>;

/** POST /api/team/invitations */
export const InviteStaffBody = z.object({ email: Email, name: Name, role: Role });
export type InviteStaffBody = z.input<typeof InviteStaffBody>;

/** PATCH /api/team/{id}: changes the given fields. `is_confirmed`: confirms the person as administrator. */
export const MemberBody = z
  .object({ role: z.optional(Role), name: z.optional(Name), is_confirmed: z.optional(z.literal(true)) })
  .check(
    z.refine((body) => Object.values(body).some((value) => value !== undefined), {
      error: 'Nothing is to be changed.',
    }),
  );
export type MemberBody = z.input<typeof MemberBody>;

const AMOUNT = { error: 'Please enter an amount like 250.00, or none.' };

/** PUT /api/team/refund-limit. The amount is parsed to cents; null means that managers cannot refund. */
export const RefundLimitBody = z.object({
  refund_limit: z.nullable(
    z.pipe(
      z.string(AMOUNT).check(z.refine((text) => (typedCents(text.trim()) ?? 0) > 0, AMOUNT)),
      z.transform((text) => typedCents(text.trim()) ?? 0),
    ),
  ),
});
export type RefundLimitBody = z.input<typeof RefundLimitBody>;

/** DELETE /api/team/{id}: removes a member, whose sessions end, or an invitation by its id. */
export const RemovedReply = z.object({ id: z.string() });
export type RemovedReply = z.infer<typeof RemovedReply>;

/** PUT /api/team/refund-limit */
export const RefundLimitReply = z.object({ refund_limit: z.nullable(z.string()) });
export type RefundLimitReply = z.infer<typeof RefundLimitReply>;

/** DELETE /api/sessions, including the current one, and DELETE /api/sessions/{id} */
export const EndedSessionsReply = z.object({ ended: z.number() });
export type EndedSessionsReply = z.infer<typeof EndedSessionsReply>;
