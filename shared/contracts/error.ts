import * as z from 'zod/mini';

export const ErrorCode = z.enum([
  'bad-request',
  'invalid',
  'unauthorized',
  'forbidden',
  /** An operator has to show the passkey again. */
  'proof-needed',
  /** An owner of the content area has to make a passkey first. */
  'passkey-needed',
  /** Staff have to prove again who they are proof.ts has the ways. */
  'step-up-needed',
  'not-found',
  'method-not-allowed',
  'conflict',
  'already-paid',
  'at-the-desk',
  'terminal-busy',
  'being-paid',
  'amount-changed',
  /** Of an invoice that is paid in parts: a person has to say what is owed. */
  'amount-unclear',
  /** An amount that is no part which may be paid now. */
  'part-refused',
  'nothing-to-pay',
  /** The CRM names no amount that can be read. */
  'amount-unreadable',
  'not-payable-online',
  'link-ended',
  'paused',
  'too-large',
  'wrong-type',
  'too-many',
  'token-refused',
  'declined',
  'pending',
  'misdirected',
  'crm-unavailable',
  'gateway-unavailable',
  'gateway-refused',
  /** Of a payment: nothing was charged, and nothing will be. */
  'not-started',
  'not-built',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

export const ErrorBody = z.object({ code: ErrorCode, message: z.string(), fields: z.optional(z.array(z.string())) });

/** The one error body of every /api reply. Routes add the fields of a call's contract, never a stack or a cause. */
export const ApiError = z.object({ error: ErrorBody });
export type ApiError = z.infer<typeof ApiError>;

/** Beside the error of a body or a query that is not valid: a text for each wrong field, by its name. */
export const Problems = z.object({ problems: z.record(z.string(), z.string()) });
