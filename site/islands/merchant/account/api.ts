import * as z from 'zod/mini';
import { ReversalReply } from '#shared/contracts/payments/batches';
import { type ByHandBody, WriteBack, type WriteBackBody } from '#shared/contracts/payments/write-back';
import { ArchiveStatus, type ClosingBody, ClosingStatus } from '#shared/contracts/staff/archive-and-closing';
import { Approvals, OwnFactors, OwnPasskey, SecondPerson, StaffPasskeyOptions } from '#shared/contracts/staff/proof';
import type { DecisionBody, NewPinBody, SecondPersonBody } from '#shared/contracts/staff/proof-request';
import { Invitation, Member, Team } from '#shared/contracts/staff/team';
import type { InviteStaffBody, MemberBody, RefundLimitBody } from '#shared/contracts/staff/team-request';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { type Answer, readWith } from '#site/islands/ui/api/parse-response.ts';
import { readEmptyBody } from '#site/islands/ui/api/read-nothing.ts';
import { createPasskey } from '#site/islands/ui/passkey/passkey.ts';

const readFactors = readWith(OwnFactors);
const readOptions = readWith(StaffPasskeyOptions);
const readPasskey = readWith(OwnPasskey);

export const fetchFactors = () => api.call('/api/session/factors', readFactors);
export const mailFactorCode = () => api.call('/api/session/factors/code', readEmptyBody, sendJson('POST', {}));

/** Adds the emailed code to a request. Only a user's first factor needs one. */
const withCode = (code: string) => (code === '' ? {} : { code });

export async function addPasskey(label: string, code: string): Promise<Answer<OwnPasskey>> {
  const options = await api.call('/api/session/passkeys/options', readOptions, sendJson('POST', {}));
  if (!options.ok) return options;
  const passkey = await createPasskey(options.value.options);
  if (!passkey.ok) return passkey;
  const body = { label, response: passkey.value, ...withCode(code) };
  return api.call('/api/session/passkeys', readPasskey, sendJson('POST', body));
}

export const removePasskey = (id: string) =>
  api.call(`/api/session/passkeys/${encodeURIComponent(id)}`, readEmptyBody, { method: 'DELETE' });
export const setPin = (pin: string, code: string) =>
  api.call('/api/session/pin', readEmptyBody, sendJson<NewPinBody>('PUT', { pin, ...withCode(code) }));
export const removePin = () => api.call('/api/session/pin', readEmptyBody, { method: 'DELETE' });

const ARCHIVE_PATH = '/api/account/archive';
const CLOSING_PATH = '/api/account/closing';
const readStatus = readWith(ArchiveStatus);
const readClosing = readWith(ClosingStatus);
const readBytes = (body: unknown) => (body instanceof Blob ? body : null);

export const fetchArchiveStatus = () => api.call(ARCHIVE_PATH, readStatus);
export const requestArchive = () => api.call(ARCHIVE_PATH, readStatus, { method: 'POST' });
export const fetchClosing = () => api.call(CLOSING_PATH, readClosing);
export const closeAccount = (body: ClosingBody) => api.call(CLOSING_PATH, readClosing, sendJson('PUT', body));
export const cancelClosing = () => api.call(CLOSING_PATH, readClosing, { method: 'DELETE' });

const MAX_ATTEMPTS = 3;
const shouldRequest = (answer?: Answer<Blob>) => !answer || (!answer.ok && answer.error.status !== 403);

/**
 * Downloads the parts of an archive one after the other, with up to 3 attempts each. A 403 is not retried, so that a
 * step-up dialog that the user has dismissed does not reopen. `onProgress` receives the number of bytes so far.
 */
export async function downloadArchive(
  { id, parts }: ArchiveStatus,
  onProgress: (bytes: number) => void,
): Promise<Answer<Blob>> {
  const fetched: Blob[] = [];
  for (let part = 0; part < parts; part++) {
    let answer: Answer<Blob> | undefined;
    for (let attempts = 0; attempts < MAX_ATTEMPTS && shouldRequest(answer); attempts++)
      answer = await api.call(`${ARCHIVE_PATH}/${id}/parts/${part}`, readBytes, { headers: { accept: '*/*' } });
    if (!answer?.ok) return answer ?? { ok: true, value: new Blob() };
    fetched.push(answer.value);
    onProgress(fetched.reduce((sum, { size }) => sum + size, 0));
  }
  return { ok: true, value: new Blob(fetched, { type: 'application/zip' }) };
}

const readTeam = readWith(Team);
const readMember = readWith(Member);
const readInvitation = readWith(Invitation);
const readLimit = readWith(z.object({ refund_limit: z.nullable(z.string()) }));
const readSecondPerson = readWith(SecondPerson);
/** Accepts any reply, since the team is reloaded. */
const acceptAny = () => true as const;

const memberPath = (id: string | number) => `/api/team/${encodeURIComponent(id)}`;

export const fetchTeam = () => api.call('/api/team', readTeam);
export const changeMember = (id: number, change: MemberBody) =>
  api.call(memberPath(id), readMember, sendJson('PATCH', change));
/** Removes a member, or cancels the invitation with this id. */
export const removeFromTeam = (id: string | number) => api.call(memberPath(id), acceptAny, { method: 'DELETE' });
export const removeFactors = (id: number) => api.call(`${memberPath(id)}/factors`, acceptAny, { method: 'DELETE' });
export const logOutMember = (id: number) => api.call(`${memberPath(id)}/sessions`, acceptAny, { method: 'DELETE' });
export const inviteStaff = (person: InviteStaffBody) =>
  api.call('/api/team/invitations', readInvitation, sendJson('POST', person));
/** `refund_limit` is decimal text, or null if managers may not refund. */
export const saveRefundLimit = (refund_limit: string | null) =>
  api.call('/api/team/refund-limit', readLimit, sendJson<RefundLimitBody>('PUT', { refund_limit }));
/** `amount` is decimal text, or null if no refund or void needs a second person. */
export const saveSecondPerson = (amount: string | null) =>
  api.call('/api/team/second-person', readSecondPerson, sendJson<SecondPersonBody>('PUT', { amount }));

const WRITE_BACK_PATH = '/api/write-back';
const readWriteBack = readWith(WriteBack);

/** `cursor` is from the previous page. */
export const fetchWriteBack = (cursor?: string) =>
  api.call(cursor ? `${WRITE_BACK_PATH}?before=${cursor}` : WRITE_BACK_PATH, readWriteBack);
export const saveWriteBack = (is_on: boolean) =>
  api.call(WRITE_BACK_PATH, readWriteBack, sendJson<WriteBackBody>('PUT', { is_on }));
export const markRecordedByHand = (id: string, note: string) =>
  api.call(
    `${WRITE_BACK_PATH}/payments/${encodeURIComponent(id)}`,
    readWriteBack,
    sendJson<ByHandBody>('PUT', { note }),
  );
export const fetchWriteBackFile = () =>
  api.call(`${WRITE_BACK_PATH}?format=csv`, (body) => (body instanceof Blob ? body : null), {
    headers: { accept: 'text/csv' },
  });

const readApprovals = readWith(Approvals, ({ approvals }) => approvals);
const readReply = readWith(ReversalReply);

export const fetchApprovals = () => api.call('/api/approvals', readApprovals);
/** Returns the gateway's answer to an approved reversal, or null after a refusal. */
export const decideApproval = (id: string, body: DecisionBody) =>
  api.call<{ reply: ReversalReply | null }>(
    `/api/approvals/${encodeURIComponent(id)}`,
    (answer) => {
      if (body.decision === 'refuse') return { reply: null };
      const reply = readReply(answer);
      return reply && { reply };
    },
    sendJson('POST', body),
  );
