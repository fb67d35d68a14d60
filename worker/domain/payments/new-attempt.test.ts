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

it('the key of an attempt holds its CRM invoice id, collection and, from the second installment on, its number', () => {
  expect([1, 2, 3].map((part) => attempt(part, 0).dedupeKey)).toEqual(['i1-2', 'i1-2.2', 'i1-2.3']);
});

it('an attempt is held for the configured time, or three times its call timeout if that is longer', () => {
  expect(attempt(1, 5 * MINUTE).holdUntil).toBe(NOW + 15 * MINUTE);
  expect(attempt(1, 5 * MINUTE + 1).holdUntil).toBe(NOW + 15 * MINUTE + 3);
});

it('an attempt has the clinic’s local day, and is first looked up after its channel’s delay', () => {
  expect(attempt(1, 0)).toMatchObject({ createdAt: NOW, day: '2026-03-04', nextCheckAt: NOW + MINUTE, state: 'sent' });
});
