import * as z from 'zod/mini';
import { SecondPerson } from '#shared/contracts/proof';
import type { SecondPersonBody } from '#shared/contracts/proof-request';
import { Invitation, Member, Team } from '#shared/contracts/team';
import type { InviteStaffBody, MemberBody, RefundLimitBody } from '#shared/contracts/team-request';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { readWith } from '#site/islands/ui/api/read-with.ts';

const readTeam = readWith(Team);
const readMember = readWith(Member);
const readInvitation = readWith(Invitation);
const readLimit = readWith(z.object({ refund_limit: z.nullable(z.string()) }));
const readSecondPerson = readWith(SecondPerson);
/** Whatever it says: the team is read again. */
const readDone = () => true as const;

const of = (id: string | number) => `/api/team/${encodeURIComponent(id)}`;

export const fetchTeam = () => api.call('/api/team', readTeam);
export const changeMember = (id: number, change: MemberBody) => api.call(of(id), readMember, sendJson('PATCH', change));
/** A member, or an invitation by its own id. */
export const removeFromTeam = (id: string | number) => api.call(of(id), readDone, { method: 'DELETE' });
export const takeFactorsAway = (id: number) => api.call(`${of(id)}/factors`, readDone, { method: 'DELETE' });
export const inviteStaff = (person: InviteStaffBody) =>
  api.call('/api/team/invitations', readInvitation, sendJson('POST', person));
/** Decimal text; null: managers give nothing back. */
export const saveRefundLimit = (refund_limit: string | null) =>
  api.call('/api/team/refund-limit', readLimit, sendJson<RefundLimitBody>('PUT', { refund_limit }));
/** Decimal text; null: nothing needs a second person. */
export const saveSecondPerson = (amount: string | null) =>
  api.call('/api/team/second-person', readSecondPerson, sendJson<SecondPersonBody>('PUT', { amount }));
