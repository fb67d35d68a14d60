import * as z from 'zod/mini';
import { typedCents } from '#shared/money';
import { pinProblem } from '#shared/pin-rule';
import { ReversalBody, reasonText } from '../payments/batches.ts';
import { line, MadePasskey, ShownPasskey } from '../person-request.ts';
import { Approval } from './proof.ts';

/** Request bodies for proofs of identity by staff, validated in the Worker. */

/** POST /api/session/passkey */
export const PasskeyLoginBody = z.object({ response: ShownPasskey });
export type PasskeyLoginBody = z.input<typeof PasskeyLoginBody>;

const Pin = z.string({ error: 'Please enter your PIN.' }).check(z.regex(/^\d{6}$/, { error: 'A PIN has six digits.' }));

/** POST /api/session/proof */
export const ProofBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('passkey'), response: ShownPasskey }),
  z.object({ kind: z.literal('pin'), pin: Pin }),
]);
export type ProofBody = z.input<typeof ProofBody>;

const Code = z.optional(
  z.pipe(
    z.string({ error: 'Please enter the code of the mail.' }),
    z.pipe(
      z.transform((text: string) => text.replace(/\s/g, '')),
      z.string().check(z.regex(/^\d{8}$/, { error: 'The code of the mail has eight digits.' })),
    ),
  ),
);

/** POST /api/session/passkeys. `code`: single-use code sent by email, for a user without a passkey or PIN. */
export const NewPasskeyBody = z.object({
  label: z.pipe(
    line('Please name this passkey.'),
    z
      .string()
      .check(
        z.minLength(1, { error: 'Please name this passkey.' }),
        z.maxLength(60, { error: 'This name is too long.' }),
      ),
  ),
  response: MadePasskey,
  code: Code,
});
export type NewPasskeyBody = z.input<typeof NewPasskeyBody>;

/** PUT /api/session/pin; `code` as above. */
export const NewPinBody = z.object({
  pin: z.string({ error: 'Please enter a PIN.' }).check(
    z.superRefine((pin, check) => {
      const error = pinProblem(pin);
      if (error) check.addIssue({ code: 'custom', message: error });
    }),
  ),
  code: Code,
});
export type NewPinBody = z.input<typeof NewPinBody>;

/** POST /api/session/switch: switches to another team member at the same desk. */
export const SwitchBody = z.object({ id: z.number().check(z.int(), z.gte(1)), pin: Pin });
export type SwitchBody = z.input<typeof SwitchBody>;

const AMOUNT = { error: 'Please enter an amount like 500.00, or none.' };

/** PUT /api/team/second-person. The amount is parsed to cents; null means that no second person is required. */
export const SecondPersonBody = z.object({
  amount: z.nullable(
    z.pipe(
      z.string(AMOUNT).check(z.refine((text) => (typedCents(text.trim()) ?? 0) > 0, AMOUNT)),
      z.transform((text) => typedCents(text.trim()) ?? 0),
    ),
  ),
});
export type SecondPersonBody = z.input<typeof SecondPersonBody>;

/** POST /api/approvals: requests approval by another person, for example if the caller cannot give a proof. */
export const AskApprovalBody = z.extend(ReversalBody, { payment_id: z.string().check(z.regex(/^[\w-]{1,64}$/)) });
export type AskApprovalBody = z.input<typeof AskApprovalBody>;

/** POST /api/approvals/{id} */
export const DecisionBody = z.object({
  decision: z.enum(['approve', 'refuse'], { error: 'Please approve or refuse it.' }),
  /** The reason for a refusal; ignored for an approval. */
  note: z.optional(reasonText),
});
export type DecisionBody = z.input<typeof DecisionBody>;

/**
 * POST /api/approvals/{id}: a refusal returns 200 with the approval. An approval makes the reversal and responds like
 * POST /api/payments/{id}/reversals.
 */
export const DecidedReply = z.object({ approval: Approval });
export type DecidedReply = z.infer<typeof DecidedReply>;
