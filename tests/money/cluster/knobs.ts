/** What a test may ask of one request to the tests' Worker; it travels as JSON in a header, so no state is shared. */

export const KNOBS = 'x-money-knobs';

/**
 * Where a request can be made to wait until the test lets it go on, or kills the Worker. At a `mid` point of a write it
 * waits just before it: the test lets it go and kills the Worker within the next moments.
 */
export const points = [
  'before-claim',
  'mid-claim',
  'after-claim',
  'mid-gateway',
  'after-gateway',
  'mid-batch',
  'after-batch',
  'before-answer',
  'reconcile-before-find',
  'reconcile-after-find',
  'reconcile-mid-batch',
  'reconcile-after-batch',
  'outbox-before-send',
  'outbox-after-send',
] as const;
/** Around the renewal of a CRM token; most payments never come here. */
export const renewalPoints = ['before-renewal', 'after-renewal'] as const;
export type Point = (typeof points)[number] | (typeof renewalPoints)[number];

/** Which write of the Worker a fault of D1 concerns. */
export type Write = 'claim' | 'settle';

export type D1Fault = {
  on: Write;
  /** `fail-before` writes nothing; `lose-reply` commits and then breaks; `refuse` makes one statement of the batch fail. */
  do: 'fail-before' | 'lose-reply' | 'refuse';
  /** With `refuse`: how many statements of the batch go through before. */
  after?: number;
  times: number;
};

export type Knobs = {
  /** Whose database and bucket the request finds; the world says it. */
  world?: number;
  /** Added to the Worker's clock. */
  clockMs?: number;
  settings?: Record<string, string | number>;
  stopAt?: Point;
  d1?: D1Fault;
};
