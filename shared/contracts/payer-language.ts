import * as z from 'zod/mini';
import { languages } from '../words/language.ts';

/** GET and PUT /api/payer-language: the language of an account's payers where nothing of their own tells one. */
export const PayerLanguageSetting = z.object({ language: z.enum(languages) });
export type PayerLanguageSetting = z.infer<typeof PayerLanguageSetting>;
