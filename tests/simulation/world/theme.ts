import type { Json } from '../engine/choices.ts';

/** A run that concentrates on a few deeds and faults, so that rare combinations occur. */
export type Theme = {
  /** Weight of each deed; deeds without one do not occur. */
  weights: Record<string, number>;
  /** Faults that are drawn more often. */
  faults: string[];
  /** Gateway faults for each deed's own call, drawn for half of its moves; other faults are rare. */
  meets?: Record<string, string[]>;
  /**
   * Fields of the first moves that are not left to chance; `afterMs` is the time since the previous move, `meets` the
   * gateway fault of the move's own call.
   */
  opening: (Record<string, Json> & { afterMs?: number })[];
  /** Times between two moves, in ms. */
  gaps: number[];
  /** Kinds of calls that may have faults; by default all. */
  faultyCalls?: string[];
  /** Indexes of the invoices that its moves use; by default random. */
  bills?: number[];
  /** Bank debits are decided within the hour, so that later moves fall into the time of faults. */
  isFast?: boolean;
  /** The CRM's access token is about to expire at the first move. */
  isTokenOld?: boolean;
  /** Sales nearly always have one of the theme's faults, other calls rarely have any. */
  isCalmExceptSales?: boolean;
  /** No random faults before the end of its opening; after that, faults everywhere. */
  isCalmAtFirst?: boolean;
  /** Calls to and within a clinic's object have more faults. */
  hasObjectFaults?: boolean;
  /** The whole opening is always played. */
  hasFullOpening?: boolean;
  /** Share of calls that have a fault. */
  trouble?: number;
  /** None of its moves is a payment. */
  isWithoutPayers?: boolean;
};
