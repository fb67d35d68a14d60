import type * as z from 'zod/mini';

/** Reads a reply. Returns null if it does not match the contract. */
export type Reader<T> = (body: unknown, headers: Headers) => T | null;

type Json = Record<string, unknown>;
export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isTextOrNull = (value: unknown): value is string | null => value === null || isText(value);
export const isTextArray = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText);

/** An error with a message for display. `code` is from the Worker or this file. `status` is 0 if there was no reply. */
export type ClientError = { code: string; message: string; fields: string[]; status: number };

export type Answer<T> = { ok: true; value: T } | { ok: false; error: ClientError };

export const failedAnswer = <T>(error: ClientError): Answer<T> => ({ ok: false, error });

export const UNREADABLE_ERROR: ClientError = {
  code: 'unreadable',
  message: 'The answer could not be read. Please try again.',
  fields: [],
  status: 0,
};

export const SIGNED_OUT_ERROR: ClientError = {
  code: 'unauthorized',
  message: 'Please log in again.',
  fields: [],
  status: 401,
};

export const UNREACHABLE_ERROR: ClientError = {
  code: 'unreachable',
  message: 'The server could not be reached. Check your connection and try again.',
  fields: [],
  status: 0,
};

/** True if the server sent no readable message, so the message is from this file. */
export const hasNoMessage = ({ code }: ClientError): boolean =>
  code === UNREADABLE_ERROR.code || code === UNREACHABLE_ERROR.code;

export function readError(body: unknown, status: number): ClientError {
  const error = isRecord(body) && isRecord(body.error) ? body.error : {};
  if (!isText(error.code) || !isText(error.message)) return { ...UNREADABLE_ERROR, status };
  return { code: error.code, message: error.message, fields: isTextArray(error.fields) ? error.fields : [], status };
}

type BodyReader<T> = (body: unknown) => T | null;

/**
 * Creates a reader for a contract's schema. It ignores unknown fields, so that a newer Worker may add fields while an
 * old page is open. `pick` selects the part that the screen needs.
 */
export function readWith<T>(schema: z.ZodMiniType<T>): BodyReader<T>;
export function readWith<T, Picked>(schema: z.ZodMiniType<T>, pick: (answer: T) => Picked): BodyReader<Picked>;
export function readWith<T>(schema: z.ZodMiniType<T>, pick = (answer: T): unknown => answer): BodyReader<unknown> {
  return (body) => {
    const parsed = schema.safeParse(body);
    return parsed.success ? pick(parsed.data) : null;
  };
}
