import type { OutboxRow } from '#worker/data/mail/outbox';
import type { StateRule } from '#worker/domain/state-rule';

/**
 * Every state of a mail in the outbox: what may follow it, what ends it, by when, and what alerts if nothing does. The twelve
 * tries take less than a day; a reminder that has to wait for its hour or for the CRM is no try, and after its day it is none.
 */
export const mailStates = {
  due: {
    exits: ['sent', 'failed'],
    endedBy:
      'The mail service takes or refuses it; it is given up after twelve tries; it may have left before a restore; or there is nothing to tell any more.',
    limitMs: 24 * 3_600_000,
    alert: 'mail-overdue',
  },
  failed: {
    exits: ['sent'],
    endedBy: 'An end, unless the mail service tells later that it had taken it.',
    limitMs: null,
    alert: null,
  },
  sent: { exits: [], endedBy: 'An end; what became of it is told by the mail service.', limitMs: null, alert: null },
} as const satisfies Record<OutboxRow['state'], StateRule<OutboxRow['state']>>;
