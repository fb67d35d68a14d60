import type { RestoreEnded } from '#shared/contracts/operate';

/** What becomes of the steps of a restore. */

export type Begun =
  | { kind: 'begun'; clinic: number }
  | { kind: 'there-is-one' | 'too-old' }
  | { kind: 'newer'; schema: number };

export type PutOutcome =
  | { kind: 'back' }
  /** No clinic is being put back under this number, or there is no such table or piece. */
  | { kind: 'not-found' }
  /** The rows are not of this account or not as they were written, or the database does not take them. */
  | { kind: 'refused'; why: string };

/** What must be there again. `asOf`: when a dump was begun (UTC ms); `days`: the ledger's sum of each local day. */
export type Exported = {
  account: number;
  counts: Record<string, number>;
  ledgerCents: number;
  asOf?: number;
  days?: Record<string, number>;
};
export type Ended =
  | { kind: 'ended'; ended: RestoreEnded }
  | { kind: 'not-found' | 'taken' }
  | { kind: 'differs'; what: string[] };
