import { resultFrom } from '../text/result-text.ts';
import { both, wordsIn } from './both.ts';
import type { Language } from './language.ts';

/** Texts for the card provider's results of a payment, by result. */
export const resultWords = {
  APPROVED: both('Approved', 'Aprobado'),
  DECLINED: both('Declined', 'Rechazado'),
  REJECTED: both('Rejected', 'Rechazado'),
  PENDING: both('Pending', 'Pendiente'),
  SETTLING: both('Settling', 'En liquidación'),
  SETTLED: both('Settled', 'Liquidado'),
  RETURNED: both('Returned', 'Devuelto'),
  VOIDED: both('Voided', 'Anulado'),
};

export const resultIn = (language: Language, result: string): string =>
  resultFrom(wordsIn(resultWords, language), result);
