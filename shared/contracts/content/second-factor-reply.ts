import * as z from 'zod/mini';

/** Response (202) to the correct password of an account with a passkey: WebAuthn options for the browser. */
export const SecondFactorRequired = z.object({ second: z.looseObject({ challenge: z.string() }) });
export type SecondFactorRequired = { second: object };

/** GET /api/auth/passkeys. Times are ISO 8601. */
export const SecondFactors = z.object({
  passkeys: z.array(
    z.object({ id: z.string(), label: z.string(), created_at: z.string(), used_at: z.nullable(z.string()) }),
  ),
  recovery_codes_left: z.number(),
});
export type SecondFactors = z.infer<typeof SecondFactors>;

/** Shown once; only hashes are stored. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** POST /api/auth/passkeys/options */
export const NewPasskeyOptions = z.object({ options: z.looseObject({ challenge: z.string() }) });
export type NewPasskeyOptions = { options: object };
