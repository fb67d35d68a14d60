import * as z from 'zod/mini';
import { typedCents } from '#shared/money';

/** Payment in parts. Money is decimal text. */

/** GET and PUT /api/parts: the account setting that permits payment in parts; off by default. */
export const PartsSetting = z.object({ is_on: z.boolean() });
export type PartsSetting = z.infer<typeof PartsSetting>;

/** Possible decisions about the CRM's new amount: it already contains our payments, or it lacks them. */
export const partVerdicts = ['contains', 'lacks'] as const;
export type PartVerdict = (typeof partVerdicts)[number];

/** A frozen collection: the CRM's amount, our payments not recorded there, and the amount owed by each verdict. */
const FrozenParts = z.object({ crm: z.string(), ours: z.string(), contains: z.string(), lacks: z.string() });
export type FrozenParts = z.infer<typeof FrozenParts>;

/** GET /api/invoices/{CRM id}/parts, and the response of PUT, DELETE and POST .../decision. */
export const InvoiceParts = z.object({
  /** The account permits payment in parts. */
  is_on: z.boolean(),
  /** `whole`: payable only in full. `frozen`: the CRM's amount has changed, and staff must decide the amount owed. */
  state: z.enum(['whole', 'open', 'frozen']),
  /** Total of all parts, including earlier collections; null if `whole`. */
  base: z.nullable(z.string()),
  paid: z.string(),
  left: z.nullable(z.string()),
  /** The first part that the pay page offers. */
  deposit: z.nullable(z.string()),
  /** Permitted amounts of the next part; null if only the full remainder is permitted. */
  range: z.nullable(z.object({ least: z.string(), most: z.string() })),
  /** The only permitted amount during the day after a failed attempt; otherwise null. */
  only: z.nullable(z.string()),
  /** Present if `frozen`; null if the CRM does not respond. */
  decision: z.nullable(FrozenParts),
});
export type InvoiceParts = z.infer<typeof InvoiceParts>;

/** Request bodies for payment in parts, validated in the Worker. */

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

/** PUT /api/invoices/{CRM id}/parts. `least`: null for the larger of $10 and 10%. `deposit`: an amount or a share. */
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

/** POST /api/invoices/{CRM id}/parts/decision. `owed`: the amount that the user confirmed. */
export const DecidePartsBody = z.strictObject({
  verdict: z.enum(partVerdicts, { error: 'Please choose what is owed.' }),
  owed: cents('The amount is not valid.'),
});
export type DecidePartsBody = z.input<typeof DecidePartsBody>;

const PART_ERROR = 'The part is not valid.';

/** The amount to pay now for an invoice in parts. The server checks it against the amount owed. */
export const Part = z.object(
  { amount: z.string({ error: PART_ERROR }).check(z.maxLength(20, { error: PART_ERROR })) },
  { error: PART_ERROR },
);
