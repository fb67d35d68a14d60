import { TerminalsReply } from '#shared/contracts/payments/terminals';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { type Answer, api } from '../api/api.ts';
import { storeOnlineOff } from './online-off.ts';

const readTerminals = readWith(TerminalsReply);

/** Fetches the card readers at the counter, and stores whether payers can pay by link. */
export async function fetchCardReaders(): Promise<Answer<TerminalsReply>> {
  const answer = await api.call('/api/counter-terminals', readTerminals);
  if (answer.ok) storeOnlineOff(answer.value);
  return answer;
}
