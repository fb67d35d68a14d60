import { DAY, type Kept, MAILS_KEPT_MS, SEVEN_YEARS, withAccount } from './kept.ts';

/** Tables that a clinic's database and the installation's both have. */
export const inBoth: Record<string, Kept> = {
  outbox: {
    rules: [
      { does: 'delete', column: 'created_at', ms: MAILS_KEPT_MS, index: 'outbox_done', when: "state <> 'due'" },
      {
        does: 'blank',
        what: '`details`',
        set: "details = '{}'",
        column: 'sent_at',
        ms: DAY,
        index: 'outbox_done_with_details',
        when: "state <> 'due' AND details <> '{}'",
      },
    ],
    why: 'thirteen months answer whether a mail went out; its details may hold a sealed token, which no mail needs again. A mail that is still owed stays',
  },
  mail_events: {
    rules: [{ does: 'delete', column: 'heard_at', ms: 30 * DAY, index: 'mail_events_heard' }],
    why: 'a repeat of an event must change nothing, and the mail service repeats for two days; what it told is in the mail’s own row',
  },
  bucket_cursors: { row: 'for ever', rules: [], why: 'a row for each prefix that is looked through' },
  audit_events: {
    rules: [{ does: 'delete', what: 'sealed events', column: 'at', ms: SEVEN_YEARS, apart: true }],
    why: 'as long as the records of money that they tell of; triggers refuse changes, and deletion before that',
  },
  audit_seals: {
    row: 'for ever',
    rules: [],
    why: 'the chain goes on over events that are gone; triggers refuse changes',
  },
  audit_refusals: { row: 'until its hour is over', rules: [], why: 'then it is one event' },
  dumps: { row: 'for ever', rules: [], why: 'one row: the state of the nightly dump' },
  dump_tables: { row: 'until the dump under way has ended', rules: [], why: 'how far it is' },
  audit_checks: withAccount('one row'),
};
