import { expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { makeWorld } from '#tests/support/unit/world';
import type { QueuedMail } from '#worker/data/mail/outbox';
import { kindsWhere } from '#worker/data/schema/mail';
import { invoices } from '#worker/data/schema/schema';
import { takePayment } from '#worker/domain/payments/take-payment';
import { composeMail } from './compose.ts';

/** All emails to payers except the reminder, which calls the CRM; worker/domain/reminders/remind.test.ts covers it. */
const PAYER_MAIL_KINDS = kindsWhere(({ audience }) => audience === 'payer').filter((kind) => kind !== 'reminder');

it('an email to a payer has no name, address or amount in its subject and loads nothing from the network', async () => {
  const world = await makeWorld();
  const { deps, accountId, invoiceId, payId } = world;
  expect((await takePayment(deps, payId, paymentForm(), { clientIp: null })).kind).toBe('approved');
  const row = { account_id: accountId };
  const [account] = await deps.db.query.accounts.findMany({ where: (t, { eq }) => eq(t.accountId, row.account_id) });
  const attempt = await deps.db.query.paymentAttempts.findFirst();
  const link = await deps.db.query.payLinks.findFirst();
  const [storedInvoice] = await deps.db.select().from(invoices);
  const openInvoice = {
    ...storedInvoice,
    invoiceId,
    contactFirstName: 'Marta',
    contactLastName: 'Núñez',
    localStatus: 'none',
  };
  for (const kind of PAYER_MAIL_KINDS) {
    const status = kind === 'crm-receipt' ? 'paid' : 'open';
    const queuedMail = {
      mail: { id: 'm', kind, recipient: 'marta@example.test', accountId, details: '{"paidOn":"2026-03-01"}' },
      account,
      merchant: undefined,
      attempt: kind === 'debit-returned' ? { ...attempt, state: 'returned' } : attempt,
      entries: [],
      link,
      // A paid invoice has no link to mail, so the link belongs to another invoice.
      invoice: {
        ...openInvoice,
        ...(kind === 'pay-link' && { invoiceId: '2' }),
        status,
        balanceCents: 18_400,
        billedCents: 18_400,
      },
    } as unknown as QueuedMail;
    const letter = await composeMail(deps, queuedMail);
    if (!letter || 'later' in letter) throw new Error(`${kind} was not written`);
    for (const word of ['Marta', 'Núñez', 'marta@', '184', '$'])
      expect(letter.subject.includes(word), `${kind}: ${word} in “${letter.subject}”`).toBe(false);
    expect(letter.text).toContain('184.00');
    expect(letter.html).not.toMatch(/<img|<script|<link|src=|background=/);
  }
});
