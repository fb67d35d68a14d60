import { FirstHour, FirstHourMails, TestLinkSent } from '#shared/contracts/first-hour';
import type { FirstHourBody } from '#shared/contracts/first-hour-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { api, sendJson } from '../api/api.ts';

const readFirstHour = readWith(FirstHour);
const readMails = readWith(FirstHourMails, ({ mails }) => mails);
const readSent = readWith(TestLinkSent);

export const fetchFirstHour = () => api.call('/api/first-hour', readFirstHour);
export const decide = (decision: FirstHourBody) =>
  api.call('/api/first-hour', readFirstHour, sendJson<FirstHourBody>('PUT', decision));
export const fetchMails = () => api.call('/api/first-hour/mails', readMails);
export const sendTestLink = () => api.call('/api/first-hour/test-link', readSent, { method: 'POST' });
