import * as z from 'zod/mini';

/** Bodies of a merchant's calls on one invoice; whether what they hold is good is for the verbs to say. */
export const SignatureBody = z.object({ signature: z.string() });
export const FooterTextBody = z.object({ footer_text: z.string() });
