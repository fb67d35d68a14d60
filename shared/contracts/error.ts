/**
 * The one error body of every /api reply. Routes add the fields that a call's contract names, never a stack or a cause.
 */
export type ApiError = { error: { code: ErrorCode; message: string; fields?: string[] } };

export type ErrorCode =
  | 'bad-request'
  | 'invalid'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'already-paid'
  | 'at-the-desk'
  | 'terminal-busy'
  | 'being-paid'
  | 'amount-changed'
  | 'nothing-to-pay'
  | 'not-payable-online'
  | 'link-ended'
  | 'too-large'
  | 'wrong-type'
  | 'too-many'
  | 'token-refused'
  | 'declined'
  | 'pending'
  | 'misdirected'
  | 'crm-unavailable'
  | 'gateway-unavailable'
  | 'gateway-refused'
  | 'not-built'
  | 'internal';
