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
const describeEvent = (action: AuditAction | 'unheard.of', after: object = {}, overrides: Partial<AuditEvent> = {}) =>
  sentenceOf({ ...base, action, after: JSON.stringify(after), ...overrides }, NAMES, undefined);

describe('the sentence for an event', () => {
  it('states who did what and why', () => {
    const claim = { kind: 'void', number: '1042', amountCents: 18_400, currency: 'USD', reason: 'Billed twice' };
    expect(describeEvent('reversal.claimed', claim)).toBe(
      'marta@clinic.example asked for the void of 1042, $184.00, reason: Billed twice.',
    );
    const staffSubject = { subjectKind: 'staff', subjectId: '8' };
    const names = new Map([...NAMES, ['user:8', 'grace@clinic.example']]);
    const logOut = { ...base, action: 'sessions.ended', ...staffSubject };
    expect(sentenceOf(logOut, names, undefined)).toBe(
      'marta@clinic.example logged grace@clinic.example out everywhere.',
    );
    expect(sentenceOf({ ...logOut, subjectId: '7' }, names, undefined)).toBe(
      'marta@clinic.example logged out everywhere.',
    );
    const decided = { state: 'not_charged', note: 'Called the provider' };
    expect(describeEvent('payment.resolved', decided)).toBe(
      'marta@clinic.example decided that the payment of p1 is not charged, note: Called the provider.',
    );
    expect(describeEvent('look-alikes.set-aside', { payments: 2, amountCents: 7_610, note: 'Two visits' })).toBe(
      'marta@clinic.example decided that 2 payments that look alike are not duplicates, each $76.10, note: Two visits.',
    );
    expect(describeEvent('access.refused', { route: 'GET /api/audit', n: 3 })).toBe(
      'marta@clinic.example was refused GET /api/audit, 3 times.',
    );
  });

  it('names a confirmation, and a role only if it changed', () => {
    const names = new Map([...NAMES, ['user:8', 'grace@clinic.example']]);
    const describeChange = (after: object, before: object) =>
      sentenceOf(
        {
          ...base,
          action: 'staff.changed',
          subjectKind: 'staff',
          subjectId: '8',
          before: JSON.stringify(before),
          after: JSON.stringify(after),
        },
        names,
        undefined,
      );
    const confirmedSentence = 'marta@clinic.example confirmed grace@clinic.example as administrator.';
    expect(describeChange({ confirmed: true }, { role: 'admin', confirmed: false })).toBe(confirmedSentence);
    expect(describeChange({ role: 'admin', confirmed: true }, { role: 'admin', confirmed: false })).toBe(
      confirmedSentence,
    );
    expect(describeChange({ role: 'admin', confirmed: true }, { role: 'desk', confirmed: true })).toBe(
      'marta@clinic.example changed the rights of grace@clinic.example to administrator.',
    );
    expect(describeChange({ renamed: true }, { role: 'desk', confirmed: true })).toBe(
      'marta@clinic.example changed the name of grace@clinic.example.',
    );
  });

  it.each<[AuditAction, object, string]>([
    [
      'reminders.changed',
      { days: '-3, 0, 7, 14' },
      'set reminders to 3 days before, on, 7 and 14 days after the due date.',
    ],
    ['reminders.changed', { days: '' }, 'switched reminders off.'],
    ['mail.asked-for', { kind: 'reminder-test', number: 'INV-7' }, 'sent a test reminder about invoice INV-7.'],
    ['mail.asked-for', { kind: 'receipt', number: 'INV-7' }, 'sent a mail (receipt) about invoice INV-7.'],
    [
      'list.exported',
      { from: '2026-11-01', to: '2026-11-30', rows: 54 },
      'exported p1 from Nov 1, 2026 to Nov 30, 2026, rows: 54.',
    ],
    ['staff.invited', { role: 'manager' }, 'invited a person as manager.'],
    [
      'article.edited',
      { title: 'Hours', restored: 3 },
      'restored an earlier version of the payment “Hours”, which is published.',
    ],
  ])('describes %s %j in plain words', (action, after, predicate) => {
    expect(describeEvent(action, after)).toBe(`marta@clinic.example ${predicate}`);
  });

  it('names an invited person, from the invitation', () => {
    const subject = {
      id: 'i1',
      number: 'lee@clinic.example',
      amountCents: null,
      currency: null,
      kind: null,
      reason: null,
    };
    const invited = { ...base, action: 'staff.invited', after: '{"role":"desk"}' };
    expect(sentenceOf(invited, NAMES, subject)).toBe('marta@clinic.example invited lee@clinic.example as front desk.');
  });

  it('says that the card provider approved a refund, but not that it corrected one', () => {
    const after = { kind: 'refund', number: '1042', amountCents: 7_450, state: 'approved' };
    expect(describeEvent('reversal.moved', after, { before: '{"state":"sent"}' })).toBe(
      'The card provider approved the refund of 1042, $74.50.',
    );
    expect(describeEvent('reversal.moved', after, { before: '{"state":"approved","amountCents":8000}' })).toBe(
      'marta@clinic.example recorded as approved: the refund of 1042, $74.50.',
    );
  });

  it.each([
    [{ state: 'approved' }, 'approved the refund of 1042, $74.50, requested with the reason: Billed twice.'],
    [{ state: 'refused' }, 'refused the refund of 1042, $74.50, requested with the reason: Billed twice.'],
    [
      { state: 'refused', note: 'Wrong payment' },
      'refused the refund of 1042, $74.50, note: Wrong payment, requested with the reason: Billed twice.',
    ],
    [
      { state: 'refused', withdrawn: true },
      'withdrew the request for the refund of 1042, $74.50, reason: Billed twice.',
    ],
    [
      { state: 'ended' },
      'ended the request for the refund of 1042, $74.50, which was not carried out, requested with the reason: Billed twice.',
    ],
    [
      { state: 'waiting' },
      'put the request for the refund of 1042, $74.50 back to waiting for approval, requested with the reason: Billed twice.',
    ],
  ])('attributes the reason to the requester only: %j', (decision, predicate) => {
    const request = { kind: 'refund', number: '1042', amountCents: 7_450, reason: 'Billed twice' };
    expect(describeEvent('approval.decided', { ...request, ...decision })).toBe(`marta@clinic.example ${predicate}`);
  });

  it('keeps the reason for a refund apart from the note of the person who decided its outcome', () => {
    const after = { kind: 'refund', number: '1042', state: 'approved', note: 'Called', reason: 'Billed twice' };
    expect(describeEvent('reversal.resolved', after)).toBe(
      'marta@clinic.example decided that the refund of 1042 is approved, note: Called, requested with the reason: Billed twice.',
    );
  });

  it('takes number and amount from the subject row when the event has none', () => {
    const subject = { id: 'p1', number: 'INV-9', amountCents: 7_110, currency: 'USD', kind: null, reason: null };
    expect(sentenceOf({ ...base, actorKind: 'system', actorId: '' }, NAMES, subject)).toBe(
      'Tillway started the payment of INV-9, $71.10.',
    );
  });

  it.each(auditActions)('is complete when no details of %s are known', (action) => {
    const sentence = describeEvent(action);
    expect(sentence).toMatch(/^marta@clinic\.example [a-z].*\S\.$/);
    expect(sentence).not.toMatch(/undefined|null|NaN|\[object|, \.|\(\)| {2}/);
  });

  it('shows an unknown action by its name and a former member by their id', () => {
    expect(describeEvent('unheard.of')).toBe('marta@clinic.example did unheard.of to p1.');
    expect(describeEvent('session.opened', {}, { actorId: '8' })).toBe('A former member (8) logged in.');
  });

  it('is complete when the event’s facts are not JSON objects', () => {
    for (const after of ['no json', '[1]', '7', 'null', '{"amountCents":"a lot","number":{"a":1}}'])
      expect(describeEvent('payment.claimed', {}, { after })).toBe('marta@clinic.example started the payment of p1.');
  });
});

describe('the sentence for an operator’s action', () => {
  const operatorActor = { actorKind: 'operator', actorId: 'o' } as const;
  const names = new Map([['operator:o', 'Olga Reyes (operator)']]);
  const subject = {
    id: '3',
    number: 'Maple Dental',
    amountCents: null,
    currency: null,
    kind: null,
    reason: null,
  };
  const describeOperatorEvent = (action: AuditAction, subjectKind: string, after: object = {}) =>
    sentenceOf(
      { ...base, ...operatorActor, action, subjectKind, subjectId: '3', after: JSON.stringify(after) },
      names,
      subjectKind === 'site' ? undefined : subject,
    );

  it('names the clinic and avoids technical terms', () => {
    expect(describeOperatorEvent('clinic.woken', 'clinic')).toBe(
      'Olga Reyes (operator) ran the pending work of Maple Dental right away.',
    );
    expect(describeOperatorEvent('mail.sent-again', 'mail', { clinic: 3, kind: '35d96f' })).toBe(
      'Olga Reyes (operator) resent an email of Maple Dental.',
    );
    expect(describeOperatorEvent('mail.sent-again', 'site', { kind: 'address-known' })).toBe(
      'Olga Reyes (operator) resent an email.',
    );
    expect(describeOperatorEvent('support-view.opened', 'clinic')).toBe(
      'Olga Reyes (operator) looked at Maple Dental for support.',
    );
    expect(describeOperatorEvent('operator.enrolled', 'operator', { name: 'Olga Reyes' })).toBe(
      'Olga Reyes (operator) became an operator.',
    );
    expect(describeOperatorEvent('operator.invitation-ended', 'operator')).toBe(
      'Olga Reyes (operator) withdrew an unused code for a new operator.',
    );
  });

  it.each<[string, string]>([
    ['Dana Reyes', ' as Dana Reyes'],
    ['Olga Reyes', ''],
  ])('never replaces the actor with a typed name: %s', (typedName, suffix) => {
    expect(describeOperatorEvent('script.approved', 'script-version', { by: typedName, reason: 'A new label' })).toBe(
      `Olga Reyes (operator) approved a version of a script of others on the pay page${suffix}, reason: A new label.`,
    );
    expect(describeOperatorEvent('alert.acknowledged', 'alert', { by: typedName })).toBe(
      `Olga Reyes (operator) acknowledged the alert 3${suffix}.`,
    );
    expect(describeOperatorEvent('operator.enrolled', 'operator', { name: typedName })).toBe(
      `Olga Reyes (operator) became an operator${suffix}.`,
    );
  });
});
