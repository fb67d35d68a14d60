import * as z from 'zod/mini';
import { contentLimits } from './content.ts';

/** The bodies of the content area's calls, apart from content.ts so that no page carries a validator. */

const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const ADDRESS = /^[^\s@<>"(),;:\\[\]]{1,64}@[^\s@<>"(),;:\\[\]]{1,190}\.[^\s@<>"(),;:\\[\].]{2,}$/u;

/** One spelling of an address, so that nobody has two accounts. */
export const Email = z.pipe(
  z.string({ error: 'Please enter a valid e-mail address.' }),
  z.pipe(
    z.transform((text: string) => text.trim().normalize('NFC').toLowerCase()),
    z.string().check(
      z.refine((text) => ADDRESS.test(text) && !UNPRINTABLE.test(text), {
        error: 'Please enter a valid e-mail address.',
      }),
    ),
  ),
);

const PersonName = z.string({ error: 'Please enter your name.' }).check(
  z.trim(),
  z.refine((text) => /[^\s\p{Cf}\p{Z}]/u.test(text), { error: 'Please enter your name.' }),
  z.maxLength(contentLimits.name, { error: `Please enter a name of at most ${contentLimits.name} characters.` }),
  z.refine((text) => !UNPRINTABLE.test(text), { error: 'The name contains characters that are not allowed.' }),
);

const EMPTY = { error: 'Please enter e-mail and password.' };
const credential = z.string(EMPTY).check(z.minLength(1, EMPTY), z.maxLength(1000, EMPTY));
export const LoginBody = z.object({ email: credential, password: credential }, EMPTY);

const capability = (error: string) => z.string({ error }).check(z.minLength(1, { error }), z.maxLength(200, { error }));

/** Whether a password is good enough is the server's own question. */
export const RegisterBody = z.object({
  name: PersonName,
  email: Email,
  password: z.unknown(),
  confirmPassword: z.optional(z.unknown()),
  setupCode: z.optional(capability('This set-up code is not valid.')),
  invitation: z.optional(capability('This invitation is not valid.')),
});

export const ForgotBody = z.object({ email: Email });
export const ResetBody = z.object({ reset: capability('This link is not valid.'), password: z.unknown() });
export const InvitationBody = z.object({ invitation: capability('This invitation is not valid.') });

const RoleField = z.enum(['owner', 'editor'], { error: 'The role must be owner or editor.' });
export const RoleBody = z.object({ role: RoleField });
export const InviteBody = z.object({ email: Email, role: RoleField });
