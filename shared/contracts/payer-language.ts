import * as z from 'zod/mini';
import type { Language } from '../words/language.ts';

// Written out: a module that staff's screens and the pay page share would be a file more for payers to load.
const names = ['en', 'es'] as const satisfies readonly Language[];

/** GET and PUT /api/payer-language: the language of an account's payers where nothing of their own tells one. */
export const PayerLanguageSetting = z.object({ language: z.enum(names) });
export type PayerLanguageSetting = z.infer<typeof PayerLanguageSetting>;
