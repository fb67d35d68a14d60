import type { Context } from 'hono';
import type { StepUp } from '#shared/contracts/proof';
import type { StepUpWay } from '#shared/contracts/proof-values';
import { apiError } from './errors.ts';

/** 403 to staff who have to prove again who they are, with what they may do for it. */
export const stepUpNeeded = (c: Context, ways: StepUpWay[]): Response =>
  apiError(c, 403, 'step-up-needed', 'Please show again that it is you.', { ways } satisfies StepUp);
