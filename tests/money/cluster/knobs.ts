/** A test's settings for one request to the tests' Worker. They travel as JSON in a header, so no state is shared. */

export const KNOBS = 'x-money-knobs';

/**
 * Points where a request can wait until the test releases it or kills the Worker. `mid` points wait just before a
 * write: the test releases the request and kills the Worker within moments.
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
/** Points around the renewal of a CRM token, which most payments never reach. */
export const renewalPoints = ['before-renewal', 'after-renewal'] as const;
export type Point = (typeof points)[number] | (typeof renewalPoints)[number];

/** The write that a fault of the clinic's database affects. */
export type Write = 'claim' | 'settle';

/**
 * Faults inside the object. `fail-in-object` writes nothing; `fail-after-commit` reports an error although everything
 * was written. The `reset` faults abort the object and all calls to it: before the write, after it but before the
 * platform commits it, or after the commit.
 */
export type ObjectFault =
  | 'fail-in-object'
  | 'fail-after-commit'
  | 'reset-before'
  | 'reset-after'
  | 'reset-after-commit';

export type DatabaseFault = {
  on: Write;
  /**
   * On the way to the object, `fail-before` writes nothing; `lose-reply` commits and then breaks; `refuse` lets one
   * statement fail.
   */
  do: 'fail-before' | 'lose-reply' | 'refuse' | ObjectFault;
  /** With `refuse`: the number of statements that succeed first. */
  after?: number;
  times: number;
};

export type Knobs = {
  /** The world whose clinic, installation and buckets the request uses. */
  world?: number;
  /** Milliseconds added to the Worker's clock. */
  clockMs?: number;
  settings?: Record<string, string | number>;
  stopAt?: Point;
  database?: DatabaseFault;
};
