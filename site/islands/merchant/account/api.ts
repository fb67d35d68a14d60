import * as z from 'zod/mini';
import { ReversalReply } from '#shared/contracts/payments/batches';
import { type ByHandBody, WriteBack, type WriteBackBody } from '#shared/contracts/payments/write-back';
import { ArchiveStatus, type ClosingBody, ClosingStatus } from '#shared/contracts/staff/leaving';
import { Approvals, OwnFactors, OwnPasskey, SecondPerson, StaffPasskeyOptions } from '#shared/contracts/staff/proof';
import type { DecisionBody, NewPinBody, SecondPersonBody } from '#shared/contracts/staff/proof-request';
import { Invitation, Member, Team } from '#shared/contracts/staff/team';
import type { InviteStaffBody, MemberBody, RefundLimitBody } from '#shared/contracts/staff/team-request';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { type Answer, readWith } from '#site/islands/ui/api/parse-response.ts';
import { readNothing } from '#site/islands/ui/api/read-nothing.ts';
import { makePasskey } from '#site/islands/ui/passkey/passkey.ts';

const readFactors = readWith(OwnFactors);
const readOptions = readWith(StaffPasskeyOptions);
const readPasskey = readWith(OwnPasskey);

export const fetchFactors = () => api.call('/api/session/factors', readFactors);
export const mailFactorCode = () => api.call('/api/session/factors/code', readNothing, sendJson('POST', {}));

/** The mailed code is sent with the first factor only. */
const withCode = (code: string) => (code === '' ? {} : { code });

export async function addPasskey(label: string, code: string): Promise<Answer<OwnPasskey>> {
  const asked = await api.call('/api/session/passkeys/options', readOptions, sendJson('POST', {}));
  if (!asked.ok) return asked;
  const made = await makePasskey(asked.value.options);
  if (!made.ok) return made;
  const body = { label, response: made.value, ...withCode(code) };
  return api.call('/api/session/passkeys', readPasskey, sendJson('POST', body));
}

export const removePasskey = (id: string) =>
  api.call(`/api/session/passkeys/${encodeURIComponent(id)}`, readNothing, { method: 'DELETE' });
export const setPin = (pin: string, code: string) =>
  api.call('/api/session/pin', readNothing, sendJson<NewPinBody>('PUT', { pin, ...withCode(code) }));
export const removePin = () => api.call('/api/session/pin', readNothing, { method: 'DELETE' });

const ARCHIVE = '/api/account/archive';
const CLOSING = '/api/account/closing';
const readStatus = readWith(ArchiveStatus);
const readClosing = readWith(ClosingStatus);
const readBytes = (body: unknown) => (body instanceof Blob ? body : null);

export const archive = () => api.call(ARCHIVE, readStatus);
export const askForArchive = () => api.call(ARCHIVE, readStatus, { method: 'POST' });
export const closing = () => api.call(CLOSING, readClosing);
export const close = (body: ClosingBody) => api.call(CLOSING, readClosing, sendJson('PUT', body));
export const cancelClosing = () => api.call(CLOSING, readClosing, { method: 'DELETE' });

const TRIES = 3;
const mayComeYet = (answer?: Answer<Blob>) => !answer || (!answer.ok && answer.error.status !== 403);

/**
 * Fetches the parts of a download one after the other, with up to 3 tries each. A 403 is not retried: closing the proof
 * dialog must not reopen it. `told` gets the bytes so far.
 */
export async function fetchArchive({ id, parts }: ArchiveStatus, told: (bytes: number) => void): Promise<Answer<Blob>> {
  const fetched: Blob[] = [];
  for (let part = 0; part < parts; part++) {
    let answer: Answer<Blob> | undefined;
    for (let tries = 0; tries < TRIES && mayComeYet(answer); tries++)
      answer = await api.call(`${ARCHIVE}/${id}/parts/${part}`, readBytes, { headers: { accept: '*/*' } });
    if (!answer?.ok) return answer ?? { ok: true, value: new Blob() };
    fetched.push(answer.value);
    told(fetched.reduce((sum, { size }) => sum + size, 0));
  }
  return { ok: true, value: new Blob(fetched, { type: 'application/zip' }) };
}

const readTeam = readWith(Team);
const readMember = readWith(Member);
const readInvitation = readWith(Invitation);
const readLimit = readWith(z.object({ refund_limit: z.nullable(z.string()) }));
const readSecondPerson = readWith(SecondPerson);
/** Ignores the reply: the team is reloaded. */
const readDone = () => true as const;

const of = (id: string | number) => `/api/team/${encodeURIComponent(id)}`;

export const fetchTeam = () => api.call('/api/team', readTeam);
export const changeMember = (id: number, change: MemberBody) => api.call(of(id), readMember, sendJson('PATCH', change));
/** A member, or an invitation by its own id. */
export const removeFromTeam = (id: string | number) => api.call(of(id), readDone, { method: 'DELETE' });
export const takeFactorsAway = (id: number) => api.call(`${of(id)}/factors`, readDone, { method: 'DELETE' });
export const logOutMember = (id: number) => api.call(`${of(id)}/sessions`, readDone, { method: 'DELETE' });
export const inviteStaff = (person: InviteStaffBody) =>
  api.call('/api/team/invitations', readInvitation, sendJson('POST', person));
/** Decimal text; null: managers cannot refund. */
export const saveRefundLimit = (refund_limit: string | null) =>
  api.call('/api/team/refund-limit', readLimit, sendJson<RefundLimitBody>('PUT', { refund_limit }));
/** Decimal text; null: no refund or void needs a second person. */
export const saveSecondPerson = (amount: string | null) =>
  api.call('/api/team/second-person', readSecondPerson, sendJson<SecondPersonBody>('PUT', { amount }));

const PATH = '/api/write-back';
const read = readWith(WriteBack);

/** `before`: the cursor from the previous page. */
export const fetchWriteBack = (before?: string) => api.call(before ? `${PATH}?before=${before}` : PATH, read);
export const saveWriteBack = (is_on: boolean) => api.call(PATH, read, sendJson<WriteBackBody>('PUT', { is_on }));
export const noteByHand = (id: string, note: string) =>
  api.call(`${PATH}/payments/${encodeURIComponent(id)}`, read, sendJson<ByHandBody>('PUT', { note }));
export const fetchFile = () =>
  api.call(`${PATH}?format=csv`, (body) => (body instanceof Blob ? body : null), { headers: { accept: 'text/csv' } });

const readApprovals = readWith(Approvals, ({ approvals }) => approvals);
const readReply = readWith(ReversalReply);

export const fetchApprovals = () => api.call('/api/approvals', readApprovals);
/** The gateway's answer to an approved reversal; null after a refusal. */
export const decideApproval = (id: string, decision: DecisionBody['decision']) =>
  api.call<{ reply: ReversalReply | null }>(
    `/api/approvals/${encodeURIComponent(id)}`,
    (body) => {
      if (decision === 'refuse') return { reply: null };
      const reply = readReply(body);
      return reply && { reply };
    },
    sendJson('POST', { decision }),
  );
