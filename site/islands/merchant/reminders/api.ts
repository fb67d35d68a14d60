import { Forecast, Reminders, TestSent } from '#shared/contracts/reminders';
import type { RemindersBody, ReminderTestBody, When } from '#shared/contracts/reminders-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { api, sendJson } from '../api/api.ts';

const readReminders = readWith(Reminders);
const readForecast = readWith(Forecast);
const readSent = readWith(TestSent);

export const fetchReminders = () => api.call('/api/reminders', readReminders);
export const saveReminders = (steps: number[]) =>
  api.call('/api/reminders', readReminders, sendJson<RemindersBody>('PUT', { steps }));
export const fetchForecast = (steps: number[]) =>
  api.call(`/api/reminders/forecast?steps=${steps.join(',')}`, readForecast);
export const sendTest = (when: When) =>
  api.call('/api/reminders/test', readSent, sendJson<ReminderTestBody>('POST', { when }));
