import type { Talk } from './talk.ts';

export type Verdict = 'yes' | 'no' | 'unknown';
export type Answer = { verdict: Verdict; seen: string };

/** One thing that a vendor's documents leave open and a call can answer. */
export type Question = {
  id: string;
  /** A sentence that is true or not. */
  asks: string;
  /** Whether something is written in the vendor's test account. */
  writes: boolean;
  look(talk: Talk): Promise<Answer>;
  /** What follows for a setting or a rule of ours, for either answer. */
  yes: string;
  no: string;
};

export const yesIf = (isSo: boolean, seen: string): Answer => ({ verdict: isSo ? 'yes' : 'no', seen });
export const unknown = (seen: string): Answer => ({ verdict: 'unknown', seen });
