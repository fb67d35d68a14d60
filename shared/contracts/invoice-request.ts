import * as z from 'zod/mini';

/** Bodies of a merchant's calls on one invoice; the domain checks their values. */
export const SignatureBody = z.object({ signature: z.string() });
export type SignatureBody = z.infer<typeof SignatureBody>;
export const FooterTextBody = z.object({ footer_text: z.string() });
export type FooterTextBody = z.infer<typeof FooterTextBody>;
