import * as z from 'zod/mini';
import { typedCents } from '../money.ts';
import { partVerdicts } from './parts.ts';

/** The bodies of the calls about payment in parts, as they are checked in the Worker. */

const cents = (problem: string) =>
  z.pipe(
    z
      .string({ error: problem })
      .check(z.refine((text) => (typedCents(text) ?? -1) >= 0, { error: problem, abort: true })),
    z.transform((text: string) => typedCents(text) ?? 0),
  );

/** PUT /api/parts */
export const PartsSettingBody = z.strictObject({ is_on: z.boolean() });
export type PartsSettingBody = z.input<typeof PartsSettingBody>;

/** PUT /api/invoices/{CRM id}/parts. `least` null: the larger of $10 and a tenth. The deposit is an amount or a share. */
export const OpenPartsBody = z.strictObject({
  least: z.nullable(cents('Enter the smallest part as an amount, such as 50.00.')),
  deposit: z.nullable(
    z.union(
      [
        z.strictObject({ amount: cents('Enter the deposit as an amount, such as 50.00.') }),
        z.strictObject({ percent: z.int().check(z.minimum(1), z.maximum(99)) }),
      ],
      { error: 'Enter the deposit as an amount, such as 50.00, or as 1 to 99 percent.' },
    ),
  ),
});
export type OpenPartsBody = z.input<typeof OpenPartsBody>;

/** POST /api/invoices/{CRM id}/parts/decision. `owed`: the amount that the person agreed to. */
export const DecidePartsBody = z.strictObject({
  verdict: z.enum(partVerdicts, { error: 'Please choose what is owed.' }),
  owed: cents('The amount is not valid.'),
});
export type DecidePartsBody = z.input<typeof DecidePartsBody>;
