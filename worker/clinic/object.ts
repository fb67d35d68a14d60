import type { Founding, Standing } from './books.ts';
import type { ClinicCalls } from './facade.ts';

/** What the Worker asks of a clinic's object. */
export interface ClinicObject extends Rpc.DurableObjectBranded, ClinicCalls {
  /** Make the clinic's database, or bring it up to date. */
  found(founding: Founding): Promise<void>;
  wake(): Promise<void>;
  /** Null: no clinic was founded there. */
  standing(): Promise<Standing | null>;
  erase(): Promise<void>;
}
