import type { Answer } from '#site/islands/ui/api/parse-response.ts';
import type { RefusedCall } from './refused-call.ts';

/** The only part of the step-up in the first bundle. The rest loads when a proof is first needed. */
export const stepUp = async <T>(refusedCall: RefusedCall<T>): Promise<Answer<T>> =>
  (await import('./step-up.tsx')).stepUp(refusedCall);
