import * as z from 'zod/mini';
import { MadePasskey, ShownPasskey } from '../passkey-request.ts';

/** The second factor of content accounts: requests. What is answered is in second-factor-reply.ts. */

/** POST /api/auth/second, after a login that answered `second`: a passkey, or a recovery code. 200 LoginReply; 401. */
export const SecondBody = z.union([
  z.object({ credential: ShownPasskey }),
  z.object({ code: z.string().check(z.minLength(1), z.maxLength(40)) }),
]);
export type SecondBody = z.output<typeof SecondBody>;

const NO_PASSWORD = { error: 'Please enter your present password.' };
/** POST /api/auth/passkeys/options */
export const NewPasskeyBody = z.object({
  password: z.string(NO_PASSWORD).check(z.minLength(1, NO_PASSWORD), z.maxLength(1000, NO_PASSWORD)),
});
export type NewPasskeyBody = z.input<typeof NewPasskeyBody>;

const NO_LABEL = { error: 'Please name this passkey, such as by its device.' };
/** POST /api/auth/passkeys: 201 RecoveryCodes, empty where the account had a passkey before. */
export const AddPasskeyBody = z.object({
  label: z.string(NO_LABEL).check(z.trim(), z.minLength(1, NO_LABEL), z.maxLength(60, NO_LABEL)),
  credential: MadePasskey,
});
export type AddPasskeyBody = z.output<typeof AddPasskeyBody>;
