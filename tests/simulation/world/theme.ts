import type { Json } from '../engine/choices.ts';

/** A run that dwells on a few deeds and faults, so that those meet which hardly would among all others. */
export type Theme = {
  /** How often each deed is drawn; the others are not. */
  weights: Record<string, number>;
  /** Those that chance favours. */
  faults: string[];
  /** By deed: faults of the gateway that its own call meets, in every other move. All else goes wrong seldom. */
  meets?: Record<string, string[]>;
  /**
   * What the first moves are, as far as chance does not decide it; `afterMs` is since the move before, `meets` the
   * fault of the gateway that the move's own call meets.
   */
  opening: (Record<string, Json> & { afterMs?: number })[];
  /** Between two moves, in ms. */
  gaps: number[];
  /** Kinds of calls that meet faults at all; without them every kind does. */
  only?: string[];
  /** Places in the list of invoices that its moves are about; without them chance decides. */
  bills?: number[];
  /** Bank debits are decided within the hour, so that what follows falls into the time of faults. */
  isFast?: boolean;
  /** The CRM's access token is about to end when the first move comes. */
  isTokenOld?: boolean;
  /** Sales meet one of its faults nearly always, and all else hardly any. */
  isCalmButForSales?: boolean;
  /** Until its opening is over nothing goes wrong by chance; afterwards all sides are in trouble. */
  isCalmAtFirst?: boolean;
  /** Calls at a clinic's object and in it meet faults more often. */
  isRoughOnObjects?: boolean;
  /** All of its opening is told, whatever follows. */
  isTold?: boolean;
  /** How rough it is: the share of calls that meet something. */
  trouble?: number;
  /** None of its moves is a payment. */
  isWithoutPayers?: boolean;
};
