import * as z from 'zod/mini';

/** What a browser says of a passkey, as the standard writes it in JSON. */

const base64Url = z.string().check(z.regex(/^[\w-]{1,8000}$/));

const credential = {
  id: base64Url,
  rawId: base64Url,
  type: z.literal('public-key'),
  clientExtensionResults: z._default(z.object({}), {}),
};

/** The passkey that a browser made. */
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
