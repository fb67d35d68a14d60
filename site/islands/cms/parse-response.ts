import * as z from 'zod/mini';
import { InvitationReply, LoginReply, MeReply, PublishState } from '#shared/contracts/content/content';
import { type ClientError, readError } from '../ui/api/parse-response.ts';
import { readWith } from '../ui/api/read-with.ts';
import { Item } from './editor/parse-response.ts';

export const readLogin = readWith(LoginReply);
export const readMe = readWith(MeReply, ({ user }) => user);
export const readInvitation = readWith(InvitationReply);
export const readItems = readWith(z.array(Item));
export const readPublish = readWith(PublishState);
const readCurrent = readWith(z.object({ current: Item }), ({ current }) => current);

/** The refusal carries the other member's newer version. */
export type Conflict = ClientError & { current: Item };

export function readErrorOrConflict(body: unknown, status: number): ClientError {
  const error = readError(body, status);
  const current = status === 409 ? readCurrent(body) : null;
  if (!current) return error;
  const conflict: Conflict = { ...error, current };
  return conflict;
}

export function conflictIn(error: ClientError): Conflict | null {
  const current = readCurrent(error);
  return current && { ...error, current };
}
