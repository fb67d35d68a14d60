import * as z from 'zod/mini';
import { languages } from '../words/language.ts';

/** PUT /api/payer-language. */
export const PayerLanguageBody = z.strictObject({ language: z.enum(languages) });
export type PayerLanguageBody = z.input<typeof PayerLanguageBody>;
