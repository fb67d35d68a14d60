import { isFrozen, isPaying } from '../offers.ts';
import { isExcluded, mailedAt, planned, stoppedAt } from '../reminders/invoice.ts';
import { LISTED } from '../schema/mail-rules.ts';

const INVOICE = ['t.account_id', 't.invoice_id'] as const;

const BAD = `(SELECT b.why FROM mail_addresses b
  WHERE b.account_id = t.account_id AND b.address = lower(trim(t.contact_email)))`;

/** What the mails of an invoice came to, in columns of its row: each is found by an index, so a page costs the same however long the list is. */
export const MAIL_COLUMNS = [
  `(SELECT json_object('kind', m.kind, 'sentAt', m.sent_at, 'delivery', m.delivery, 'toldAt', m.delivery_at) FROM outbox m
    WHERE m.account_id = t.account_id AND m.invoice_id = t.invoice_id AND m.state = 'sent'
      AND m.kind IN ${LISTED}
    ORDER BY m.sent_at DESC LIMIT 1) AS mail`,
  `(SELECT max(o.at) FROM page_views o WHERE o.account_id = t.account_id AND o.invoice_id = t.invoice_id) AS opened_at`,
  `${BAD} AS bad_address`,
  // Nothing where reminders are off, or where something speaks against the next one.
  `(SELECT json_object('steps', json(p.steps), 'doneDay', p.done_day, 'nextRunAt', p.next_run_at, 'waitUntil', p.wait_until,
      'timeZone', h.time_zone, 'mailedAt', ${mailedAt(...INVOICE)}, 'planned', json(${planned(...INVOICE)}))
    FROM reminder_plans p JOIN accounts h ON h.account_id = p.account_id JOIN crm_tokens k ON k.account_id = p.account_id
    WHERE p.account_id = t.account_id AND p.next_run_at IS NOT NULL AND h.closes_at IS NULL AND k.revoked_at IS NULL
      AND t.shown_status = 'open' AND t.due_date IS NOT NULL AND trim(t.contact_email) <> '' AND ${BAD} IS NULL
      AND NOT ${isExcluded(...INVOICE)} AND ${stoppedAt(...INVOICE)} IS NULL AND NOT ${isPaying(...INVOICE)}
      AND NOT ${isFrozen(...INVOICE)}) AS reminding`,
];
