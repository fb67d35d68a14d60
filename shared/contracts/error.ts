import * as z from 'zod/mini';

export const ErrorCode = z.enum([
  'bad-request',
  'invalid',
  'unauthorized',
  'forbidden',
  /** An operator must use the passkey again. */
  'proof-needed',
  /** An owner of the content area must create a passkey first. */
  'passkey-needed',
  /** Staff must prove their identity again, in one of the ways in proof.ts. */
  'step-up-needed',
  'not-found',
  'method-not-allowed',
  'conflict',
  'already-paid',
  'at-the-desk',
  'terminal-busy',
  'being-paid',
  'amount-changed',
  /** For an invoice in parts: staff must decide the amount owed. */
  'amount-unclear',
  /** The amount is not a permitted part. */
  'part-refused',
  'nothing-to-pay',
  /** The CRM provides no readable amount. */
  'amount-unreadable',
  'not-payable-online',
  'link-ended',
  'paused',
  /** The clinic's account is being closed. */
  'closing',
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
  /** For a payment: nothing was or will be charged. */
  'not-started',
  'not-built',
  'internal',
]);
export type ErrorCode = z.infer<typeof ErrorCode>;

export const ErrorBody = z.object({ code: ErrorCode, message: z.string(), fields: z.optional(z.array(z.string())) });

/** The error body of every /api reply. Routes may add fields of their contract, but never a stack or a cause. */
export const ApiError = z.object({ error: ErrorBody });
export type ApiError = z.infer<typeof ApiError>;

/** Added to the error of an invalid body or query: a text for each invalid field, by its name. */
export const Problems = z.object({ problems: z.record(z.string(), z.string()) });
