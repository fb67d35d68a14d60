import { resultFrom } from '../text/result-text.ts';
import { bilingual, wordsIn } from './bilingual.ts';
import type { Language } from './language.ts';

/** Texts for the card provider's results of a payment, by result. */
export const resultWords = {
  APPROVED: bilingual('Approved', 'Aprobado'),
  DECLINED: bilingual('Declined', 'Rechazado'),
  REJECTED: bilingual('Rejected', 'Rechazado'),
  PENDING: bilingual('Pending', 'Pendiente'),
  SETTLING: bilingual('Settling', 'En liquidación'),
  SETTLED: bilingual('Settled', 'Liquidado'),
  RETURNED: bilingual('Returned', 'Devuelto'),
  VOIDED: bilingual('Voided', 'Anulado'),
};

export const resultIn = (language: Language, result: string): string =>
  resultFrom(wordsIn(resultWords, language), result);
