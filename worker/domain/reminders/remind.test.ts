import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { localDay } from '#shared/text/local-day';
import { paymentForm } from '#tests/support/pay-form';
import { makeWorld, type World } from '#tests/support/unit/world';
import { saveInvoice } from '#worker/data/invoices/invoices';
import { savePlan } from '#worker/data/reminders/plans';
import { reconciliationCursors } from '#worker/data/schema/schema';
import { auditEvent } from '#worker/domain/audit/event';
import { openParts, switchParts } from '#worker/domain/installments/open-and-close';
import type { Merchant } from '#worker/domain/merchants/session';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { takePayment } from '#worker/domain/payments/take-payment';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { CrmError } from '#worker/vendors/hubspot/port';
import { CLINIC_STEPS } from '../run-schedule.ts';
import { viewInvoiceReminders } from './invoice.ts';
import { sendReminders } from './send.ts';
import { switchRemindersOn } from './settings.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = 'America/Indiana/Indianapolis';
const at = (text: string) => Date.parse(text);

type CrmInvoices = Map<string, CrmInvoice>;

/** A clinic with reminders on, whose CRM has invoices due on each day around the start. */
async function makeReminderClinic({ invoices, steps, from }: { invoices: number; steps: number[]; from: number }) {
  const world = await makeWorld();
  world.clock.now = from;
  const crmInvoices: CrmInvoices = new Map();
  const crmState = { isSilent: false };
  world.deps.crm = {
    ...world.deps.crm,
    getInvoice: async (_token, id) => {
      if (crmState.isSilent) throw new CrmError('unavailable', 'silent');
      return crmInvoices.get(id) ?? null;
    },
  };
  const [template] = [world.crm.invoice as CrmInvoice];
  for (let n = 0; n < invoices; n++) {
    const id = `${world.invoiceId}${n}`;
    const invoice: CrmInvoice = {
      ...template,
      id,
      number: `INV-${n}`,
      dueDate: localDay(from + ((n % 30) - 10) * DAY, ZONE),
      contact: { firstName: 'Marta', lastName: 'Núñez', email: `payer${n}@example.test` },
    };
    crmInvoices.set(id, invoice);
    await saveInvoice(world.db, world.accountId, invoice, from);
  }
  await switchRemindersOn(world.deps, { accountId: world.accountId, userId: 1 }, steps);
  return { ...world, crmInvoices, crmState };
}

/** Runs the clinic's mail jobs each half hour. `tests/simulation/reminders/` covers a month with failures. */
async function runUntil(world: World, until: number) {
  for (; world.clock.now < until; world.clock.now += HOUR / 2) {
    await CLINIC_STEPS.mails?.(world.deps);
    // A run sends at most twenty, and at most thirty are due per half hour: one per invoice.
    for (let run = 0; run < 2; run++) await sendReminders(world.deps);
  }
}

const sentReminders = (world: World) => world.mails.filter(({ headers }) => headers?.['List-Unsubscribe']);

describe('the next reminder shown for an invoice', () => {
  it('matches the time at which the reminder is sent, for each invoice', { timeout: 900_000 }, async () => {
    const from = at('2026-03-04T15:00:00Z');
    const until = from + 9 * DAY;
    const world = await makeReminderClinic({ invoices: 30, steps: [-3, 0, 3], from });
    const { accountId, clock, deps } = world;
    const admin = { sessionId: 's', accountId, userId: 1, role: 'admin' } as const;
    const announcedTimes = new Map<string, number | null>();
    for (const { id, contact } of world.crmInvoices.values()) {
      const view = await viewInvoiceReminders(deps, admin, id);
      announcedTimes.set(contact.email, view?.next_at ? Date.parse(view.next_at) : null);
    }
    expect(new Set(announcedTimes.values()).size).toBeGreaterThan(5);
    expect([...announcedTimes.values()]).toContain(null);
    const firstSentTimes = new Map<string, number>();
    const { send } = deps.mailer;
    deps.mailer.send = async (mail) => {
      if (!firstSentTimes.has(mail.to)) firstSentTimes.set(mail.to, clock.now);
      return send(mail);
    };
    await runUntil(world, until);
    for (const [to, next] of announcedTimes) {
      const sentAt = firstSentTimes.get(to) ?? null;
      if (next === null || next >= until) expect(sentAt, to).toBeNull();
      else expect(new Date(sentAt ?? 0).toISOString(), to).toBe(new Date(next).toISOString());
    }
    for (const { id, contact } of world.crmInvoices.values()) {
      const view = await viewInvoiceReminders(deps, admin, id);
      const sentAt = firstSentTimes.get(contact.email);
      if (sentAt && view?.last?.times === 1) expect(view.last.at).toBe(new Date(sentAt).toISOString());
      expect(view?.last === null, contact.email).toBe(sentAt === undefined);
    }
  });
});

describe('a reminder', () => {
  const START = at('2026-03-04T13:00:00Z');
  const makeClinic = async ({ dueDate = '2026-03-04', steps = [0] } = {}) => {
    const world = await makeReminderClinic({ invoices: 1, steps, from: START });
    const [invoice] = [...world.crmInvoices.values()] as [CrmInvoice];
    const setDueDate = async (day: string) => {
      world.crmInvoices.set(invoice.id, { ...invoice, dueDate: day });
      await saveInvoice(world.db, world.accountId, { ...invoice, dueDate: day }, world.clock.now);
    };
    await setDueDate(dueDate);
    const readReminderRow = async () =>
      await env.DB.prepare('SELECT state, why FROM reminders WHERE account_id = ?').bind(world.accountId).first();
    return { ...world, invoice, setDueDate, readReminderRow };
  };

  it('is sent at nine on a working day, with unsubscribe headers and no amount in its subject', async () => {
    const world = await makeClinic();
    await sendReminders(world.deps);
    expect(sentReminders(world)).toEqual([]);
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(world.deps);
    await sendReminders(world.deps);
    const [mail, ...otherMails] = sentReminders(world);
    expect(otherMails).toEqual([]);
    expect(mail).toMatchObject({
      to: 'payer0@example.test',
      subject: 'A reminder from Maple Street Dental: invoice INV-0',
    });
    expect(mail?.text).toContain('\nInvoice INV-0 is due today, Mar 4, 2026.');
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': expect.stringMatching(/^<http:\/\/localhost:8787\/mail\/stop\/[\w-]{46,52}>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it('for an invoice due on a Sunday is sent on Monday and does not say that it is due today', async () => {
    const world = await makeClinic({ dueDate: '2026-03-08' });
    await runMailJobsAt(world, '2026-03-09T13:00:00Z');
    expect(sentReminders(world)).toMatchObject([{ text: expect.stringContaining('INV-0 was due on Mar 8, 2026.') }]);
  });

  it('shows the remaining amount of an invoice in installments', async () => {
    const world = await makeClinic();
    const manager = { accountId: world.accountId, userId: 1, role: 'manager' } as Merchant;
    await switchParts(world.deps, manager, true);
    const openOutcome = await openParts(world.deps, manager, world.invoice.id, { minCents: 2_000, deposit: null });
    expect(openOutcome).toMatchObject({ kind: 'opened', baseCents: 18_400 });
    const link = await issuePayLink(world.deps, world.accountId, world.invoice.id);
    // The payment was made days earlier, since a payer is not reminded right after a payment.
    world.clock.now = at('2026-03-01T14:00:00Z');
    const form = paymentForm({ part: { amount: '50.00' } });
    await takePayment(world.deps, link?.payId ?? '', form, { clientIp: 'ip' });
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(world.deps);
    expect(await world.readReminderRow()).toMatchObject({ state: 'handed' });
    expect(sentReminders(world).map(({ text }) => /\$[\d,.]+/.exec(text)?.[0])).toEqual(['$134.00']);
    // The amount has changed: no reminder is announced until staff confirm the amount owed.
    await env.DB.prepare("UPDATE collections SET state = 'frozen', frozen_at = 1").run();
    const view = await viewInvoiceReminders(world.deps, manager, world.invoice.id);
    expect(view).toMatchObject({ next_at: null, why_none: 'not-payable' });
  });

  it.each([
    ['of an invoice that is paid in the CRM', 'paid', (invoice: CrmInvoice) => ({ ...invoice, status: 'paid' })],
    [
      'to an address that has changed',
      'address-changed',
      (invoice: CrmInvoice) => ({ ...invoice, contact: { ...invoice.contact, email: 'new@example.test' } }),
    ],
  ])('%s is not sent', async (_title, word, change) => {
    const world = await makeClinic();
    world.crmInvoices.set(world.invoice.id, change(world.invoice) as CrmInvoice);
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(world.deps);
    expect(sentReminders(world)).toEqual([]);
    expect(await world.readReminderRow()).toEqual({ state: 'void', why: word });
  });

  it('is not sent to an address that cannot receive mail', async () => {
    const world = await makeClinic();
    await env.DB.prepare("INSERT INTO mail_addresses VALUES (?, 'payer0@example.test', 'bounced', 'm', 0)")
      .bind(world.accountId)
      .run();
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(world.deps);
    expect(sentReminders(world)).toEqual([]);
    expect(await world.readReminderRow()).toEqual({ state: 'void', why: 'no-mail-arrives' });
  });

  it('waits while the CRM does not answer and is sent later', async () => {
    const world = await makeClinic();
    world.crmState.isSilent = true;
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(world.deps);
    expect(sentReminders(world)).toEqual([]);
    world.crmState.isSilent = false;
    world.clock.now += HOUR;
    await CLINIC_STEPS.mails?.(world.deps);
    expect(sentReminders(world)).toHaveLength(1);
  });

  it.each([
    ['at a later time', '2026-03-05T19:00:00Z', 0],
    ['before its day', '2026-03-04T13:00:00Z', 1],
  ])('is sent late unless it may have been sent before a restore, here one %s', async (_title, restoredAt, mails) => {
    const world = await makeClinic();
    world.deps.settings.RESTORED_AT = at(restoredAt);
    world.clock.now = at('2026-03-05T20:00:00Z');
    for (const method of ['card', 'ach'] as const)
      await world.db
        .insert(reconciliationCursors)
        .values({
          accountId: world.accountId,
          method,
          readFrom: 0,
          readUntil: world.clock.now,
          nextAt: 0,
          leaseUntil: 0,
        })
        .onConflictDoUpdate({
          target: [reconciliationCursors.accountId, reconciliationCursors.method],
          set: { readUntil: world.clock.now },
        });
    await sendReminders(world.deps);
    expect(sentReminders(world)).toHaveLength(mails);
  });

  it('waits while online payments are paused', async () => {
    const world = await makeClinic();
    world.deps.payments.recordChange(true);
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(world.deps);
    expect(sentReminders(world)).toEqual([]);
    world.deps.payments.recordChange(false);
    world.clock.now += HOUR;
    await CLINIC_STEPS.mails?.(world.deps);
    expect(sentReminders(world)).toHaveLength(1);
  });

  /** Runs the mail jobs once at `time`. */
  const runMailJobsAt = async ({ clock, deps }: World, time: string) => {
    clock.now = at(time);
    await CLINIC_STEPS.mails?.(deps);
    await sendReminders(deps);
  };

  it('delays the next reminder for a week from the day on which it was sent, even if it had to wait', async () => {
    const world = await makeClinic({ steps: [0, 7] });
    world.crmState.isSilent = true;
    await runMailJobsAt(world, '2026-03-04T14:00:00Z');
    world.crmState.isSilent = false;
    await runMailJobsAt(world, '2026-03-05T14:00:00Z');
    expect(sentReminders(world)).toHaveLength(1);
    await runMailJobsAt(world, '2026-03-11T13:00:00Z');
    expect(sentReminders(world)).toHaveLength(1);
  });

  it('delays the next reminder for a week if it may have arrived, even if its retry comes too late', async () => {
    const world = await makeClinic({ steps: [0, 3] });
    world.crmState.isSilent = true;
    await runMailJobsAt(world, '2026-03-04T14:00:00Z');
    world.crmState.isSilent = false;
    const { send } = world.deps.mailer;
    world.deps.mailer.send = async (mail) => {
      await send(mail);
      throw new Error('the answer is lost');
    };
    await runMailJobsAt(world, '2026-03-06T14:00:00Z');
    world.deps.mailer.send = send;
    await runMailJobsAt(world, '2026-03-06T14:01:00Z');
    await runMailJobsAt(world, '2026-03-09T13:00:00Z');
    expect(sentReminders(world)).toHaveLength(1);
  });

  it('does not delay the next reminder if it was too late to be sent', async () => {
    const world = await makeClinic({ dueDate: '2026-03-09', steps: [-3, 0] });
    world.deps.settings = { ...world.deps.settings, MAILS_PER_ACCOUNT_DAY: 0 };
    await runMailJobsAt(world, '2026-03-06T14:00:00Z');
    world.deps.settings = { ...world.deps.settings, MAILS_PER_ACCOUNT_DAY: 5 };
    await runMailJobsAt(world, '2026-03-09T13:00:00Z');
    expect(sentReminders(world)).toMatchObject([{ text: expect.stringContaining('is due today') }]);
  });

  it('is not announced or sent again when the invoice becomes due later', async () => {
    const world = await makeClinic();
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(world.deps);
    expect(sentReminders(world)).toHaveLength(1);
    await world.setDueDate('2026-03-25');
    const admin = { sessionId: 's', accountId: world.accountId, userId: 1, role: 'admin' } as const;
    expect(await viewInvoiceReminders(world.deps, admin, world.invoice.id)).toMatchObject({
      next_at: null,
      why_none: 'none-left',
    });
    world.clock.now = at('2026-03-25T14:00:00Z');
    await sendReminders(world.deps);
    expect(sentReminders(world)).toHaveLength(1);
  });

  it('waits for the next day if the daily cap is reached', async () => {
    const world = await makeClinic();
    world.deps.settings = { ...world.deps.settings, MAILS_PER_ACCOUNT_DAY: 1 };
    const day = START - (START % DAY);
    await env.DB.prepare('INSERT INTO mail_days (account_id, at, mails) VALUES (?, ?, 1)')
      .bind(world.accountId, day)
      .run();
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(world.deps);
    expect(sentReminders(world)).toEqual([]);
    world.clock.now = at('2026-03-05T14:00:00Z');
    await sendReminders(world.deps);
    expect(sentReminders(world)).toHaveLength(1);
  });

  it('is not sent once reminders are off', async () => {
    const world = await makeClinic();
    world.crmState.isSilent = true;
    const { accountId, deps } = world;
    const event = auditEvent(deps, { accountId, action: 'reminders.changed', subject: ['account', String(accountId)] });
    await savePlan(
      world.db,
      { accountId, steps: [0], doneDay: '2026-03-03', nextRunAt: null, changedBy: 1 },
      START,
      event,
    );
    world.clock.now = at('2026-03-04T14:00:00Z');
    await sendReminders(deps);
    expect(await world.readReminderRow()).toBeNull();
  });
});
