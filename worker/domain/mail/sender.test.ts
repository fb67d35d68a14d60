import { describe, expect, it } from 'vitest';
import { senderOf } from './sender.ts';

type SenderRows = Parameters<typeof senderOf>[0];
const senderOfMail = (kind: string, account: { name?: string; email?: string } = {}) =>
  senderOf({
    mail: { kind },
    account: { name: 'Maple Street Dental', email: 'front@maple.example', ...account },
    merchant: undefined,
  } as SenderRows);

describe('the sender of an email', () => {
  it.each(['receipt', 'crm-receipt', 'pay-link', 'reminder'])(
    'is the business for payers, who reply to it: %s',
    (kind) => {
      expect(senderOfMail(kind)).toEqual({
        senderName: 'Maple Street Dental via Tillway',
        replyTo: 'front@maple.example',
      });
    },
  );

  it.each(['test-link', 'login-code', 'payment-notice', 'alert'])('is Tillway for all other kinds: %s', (kind) => {
    expect(senderOfMail(kind)).toEqual({});
  });

  it.each(['', 'front', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example'])(
    'has no reply address unless the business has exactly one: %j',
    (email) => {
      expect(senderOfMail('receipt', { email })).toEqual({ senderName: 'Maple Street Dental via Tillway' });
    },
  );

  it('is on one line and has no invisible characters in its address', () => {
    expect(senderOfMail('receipt', { name: 'Maple\nStreet', email: ' front@maple\u200b.example ' })).toEqual({
      senderName: 'Maple Street via Tillway',
      replyTo: 'front@maple.example',
    });
  });
});
