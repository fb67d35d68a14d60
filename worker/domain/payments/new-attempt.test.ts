import { expect, it } from 'vitest';
import type { InvoiceRow } from '#worker/data/invoices/invoices';
import type { Deps } from '#worker/deps';
import { newAttempt } from './attempts.ts';

const NOW = Date.UTC(2026, 2, 5, 3);
const MINUTE = 60_000;

const attempt = (part: number, timeoutMs: number) =>
  newAttempt(
    {
      settings: { HOLD_MS: 15 * MINUTE },
      newId: () => 'a1',
      newCapability: () => 'r1',
      now: () => NOW,
    } as Deps,
    {
      invoice: { invoiceId: 'i1', collection: 2, number: 'INV-1' } as InvoiceRow,
      part,
      timeoutMs,
      checkAfterMs: MINUTE,
      timeZone: 'America/New_York',
      channel: 'link',
      method: 'card',
      terminalId: 'T',
      amountCents: 500,
    },
  );

it('is known to the gateway by the CRM’s id of its invoice and its collection, and by its part from the second on', () => {
  expect([1, 2, 3].map((part) => attempt(part, 0).dedupeKey)).toEqual(['i1-2', 'i1-2.2', 'i1-2.3']);
});

it('is held for the time of the settings, or for three times that of its call where that is longer', () => {
  expect(attempt(1, 5 * MINUTE).holdUntil).toBe(NOW + 15 * MINUTE);
  expect(attempt(1, 5 * MINUTE + 1).holdUntil).toBe(NOW + 15 * MINUTE + 3);
});

it('is of the day that it is where the clinic is, and is first asked for after the time of its channel', () => {
  expect(attempt(1, 0)).toMatchObject({ createdAt: NOW, day: '2026-03-04', nextCheckAt: NOW + MINUTE, state: 'sent' });
});
