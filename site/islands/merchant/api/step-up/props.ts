import type { StepUpWay } from '#shared/contracts/proof-values';
import type { ProofCalls } from './proof-calls.ts';

/** `colleague`: somebody else is to be asked. */
export type Proved = 'proved' | 'colleague' | 'cancelled';

export type StepUpProps = {
  ways: StepUpWay[];
  /** The Worker's words. */
  message: string;
  calls: ProofCalls;
  /** Somebody else can be asked to do it. */
  hasColleague: boolean;
  /** The login through the CRM is about to leave the page. */
  onLeave(): void;
  onEnd(proved: Proved): void;
};
