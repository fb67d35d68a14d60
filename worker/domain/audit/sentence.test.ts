import { describe, expect, it } from 'vitest';
import { type AuditAction, auditActions } from '#shared/audit';
import type { AuditEvent } from '#worker/data/schema/audit';
import { sentenceOf } from './sentence.ts';

const NAMES = new Map([['user:7', 'marta@clinic.example']]);
const base: AuditEvent = {
  accountId: 1,
  seq: 1,
  id: 'e',
  at: 0,
  actorKind: 'user',
  actorId: '7',
  sessionId: 's',
  ipHash: 'i',
  action: 'payment.claimed',
  subjectKind: 'payment',
  subjectId: 'p1',
  before: '',
  after: '',
  requestId: 'r',
};
const tell = (action: AuditAction | 'unheard.of', after: object = {}, more: Partial<AuditEvent> = {}) =>
  sentenceOf({ ...base, action, after: JSON.stringify(after), ...more }, NAMES, undefined);

describe('the sentence for an event', () => {
  it('states who did what and why', () => {
    const taken = { kind: 'void', number: '1042', amountCents: 18_400, currency: 'USD', reason: 'Billed twice' };
    expect(tell('reversal.claimed', taken)).toBe(
      'marta@clinic.example asked for the void of 1042, $184.00, reason: Billed twice.',
    );
    const decided = { state: 'not_charged', note: 'Called the provider' };
    expect(tell('payment.resolved', decided)).toBe(
      'marta@clinic.example decided that the payment of p1 is not charged, note: Called the provider.',
    );
    expect(tell('access.refused', { route: 'GET /api/audit', n: 3 })).toBe(
      'marta@clinic.example was refused GET /api/audit, 3 times.',
    );
  });

  it('takes number and amount from the subject row when the event has none', () => {
    const subject = { id: 'p1', number: 'INV-9', amountCents: 7_110, currency: 'USD', kind: null, reason: null };
    expect(sentenceOf({ ...base, actorKind: 'system', actorId: '' }, NAMES, subject)).toBe(
      'Tillway started the payment of INV-9, $71.10.',
    );
  });

  it.each(auditActions)('has no gaps when nothing is known about %s', (action) => {
    const sentence = tell(action);
    expect(sentence).toMatch(/^marta@clinic\.example [a-z].*\S\.$/);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object|, \.|\(\)| {2}/);
  });

  it('shows an unknown action by its name and a former member by their id', () => {
    expect(tell('unheard.of')).toBe('marta@clinic.example did unheard.of to p1.');
    expect(tell('session.opened', {}, { actorId: '8' })).toBe('A former member (8) logged in.');
  });

  it('is complete when the event’s facts are not JSON objects', () => {
    for (const after of ['no json', '[1]', '7', 'null', '{"amountCents":"a lot","number":{"a":1}}'])
      expect(tell('payment.claimed', {}, { after })).toBe('marta@clinic.example started the payment of p1.');
  });
});
