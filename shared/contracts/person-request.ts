import * as z from 'zod/mini';
import { contentLimits } from '../limits.ts';
import { cleanLine } from '../text/clean-line.ts';
import { isAddress, plainAddress } from '../text/email-address.ts';

/** Name and address fields, shared by clinic staff and the content area. */

/** A line of text without invisible characters. `error`: message if it is not text. */
export const line = (error: string) => z.pipe(z.string({ error }), z.transform(cleanLine));

/** Both spellings of a domain receive mail, so the ASCII one is stored. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  if (!/[^\p{ASCII}]/u.test(domain) || !/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return address;
  return `${address.slice(0, at + 1)}${URL.parse(`https://${domain}`)?.hostname ?? domain}`;
}

/** One spelling per address, so that a person cannot have two accounts. */
export const Email = z.pipe(
  z.string({ error: 'Please enter a valid email address.' }),
  z.pipe(
    z.transform((text: string) => withAsciiDomain(plainAddress(text))),
    z.string().check(z.refine((text) => isAddress(text), { error: 'Please enter a valid email address.' })),
  ),
);

/** `missingError`: message for an empty name. */
export const personName = (missingError: string) =>
  z.pipe(
    line(missingError),
    z.string().check(
      z.refine((text) => /[^\s\p{Cf}\p{Z}]/u.test(text), { error: missingError }),
      z.maxLength(contentLimits.name, { error: `Please enter a name of at most ${contentLimits.name} characters.` }),
    ),
  );

/** A browser's passkey response, in WebAuthn's JSON format. */

const base64Url = z.string().check(z.regex(/^[\w-]{1,8000}$/));

const credential = {
  id: base64Url,
  rawId: base64Url,
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
};

/** A newly created passkey. */
export const MadePasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64Url,
    attestationObject: base64Url,
    transports: z._default(z.array(z.string().check(z.regex(/^[a-z-]{1,20}$/))).check(z.maxLength(10)), []),
  }),
});
export type MadePasskey = z.output<typeof MadePasskey>;

/** A passkey's signature over a challenge. */
export const ShownPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64Url,
    authenticatorData: base64Url,
    signature: base64Url,
    userHandle: z.optional(base64Url),
  }),
});
export type ShownPasskey = z.output<typeof ShownPasskey>;
