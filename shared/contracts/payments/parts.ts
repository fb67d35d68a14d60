import * as z from 'zod/mini';
import { typedCents } from '#shared/money';

/** Payment in parts. Money is decimal text. */

/** GET and PUT /api/parts: whether invoices of the account may be opened for payment in parts; off until somebody says so. */
export const PartsSetting = z.object({ is_on: z.boolean() });
export type PartsSetting = z.infer<typeof PartsSetting>;

/** By which word a person decides what is owed: the CRM's new amount has our payments in it already, or it lacks them. */
export const partVerdicts = ['contains', 'lacks'] as const;
export type PartVerdict = (typeof partVerdicts)[number];

/** Of a frozen collection: the CRM's amount now, our payments that it was not told of, and what is owed by either word. */
const FrozenParts = z.object({ crm: z.string(), ours: z.string(), contains: z.string(), lacks: z.string() });
export type FrozenParts = z.infer<typeof FrozenParts>;

/** GET /api/invoices/{CRM id}/parts, and what PUT, DELETE and POST .../decision leave behind. */
export const InvoiceParts = z.object({
  /** The account lets invoices be opened for it. */
  is_on: z.boolean(),
  /** `whole`: it is paid at once; `frozen`: the CRM's amount has changed, and a person says what is owed. */
  state: z.enum(['whole', 'open', 'frozen']),
  /** What the parts come to in all, earlier collections included; of `whole`, nothing. */
  base: z.nullable(z.string()),
  paid: z.string(),
  left: z.nullable(z.string()),
  /** What the pay page offers as the first part. */
  deposit: z.nullable(z.string()),
  /** What the next part may be besides all that is left; null: only all of it. */
  range: z.nullable(z.object({ least: z.string(), most: z.string() })),
  /** Until a day after an attempt that came to nothing, only its amount is taken. */
  only: z.nullable(z.string()),
  /** Of `frozen`; null where the CRM does not answer. */
  decision: z.nullable(FrozenParts),
});
export type InvoiceParts = z.infer<typeof InvoiceParts>;

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

const NOT_VALID = 'The part is not valid.';

/** Of an invoice that is paid in parts, the amount that is paid now. The server holds it against what is owed. */
export const Part = z.object(
  { amount: z.string({ error: NOT_VALID }).check(z.maxLength(20, { error: NOT_VALID })) },
  { error: NOT_VALID },
);
