import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { UNDO_MS } from '#shared/limits';
import { paymentForm } from '#tests/support/pay-form';
import { mailingClinic as makeMailingClinic } from '#tests/support/unit/mailing-clinic';
import { makeWorld } from '#tests/support/unit/world';
import { queueMail } from '#worker/data/mail/outbox';
import { paymentAttempts } from '#worker/data/schema/schema';
import { openParts, switchParts } from '#worker/domain/installments/open-and-close';
import type { Merchant } from '#worker/domain/merchants/session';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { takePayment } from '#worker/domain/payments/take-payment';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { CLINIC_STEPS } from '../run-schedule.ts';
import { sendMailings, stopOwnMailing, viewMailing } from './mailing.ts';

const MINUTE = 60_000;
/** The maximum for one request takes over a minute, so only complete runs use it; fewer links test the same path. */
const LINK_COUNT = env.COMPLETE ? 500 : 50;

const payerAddresses = (count: number) => Array.from({ length: count }, (_, n) => `payer${n}@example.test`).sort();

describe('a mailing', () => {
  it('starts after the undo period and reports the result for each invoice', async () => {
    const { requestMailing, results, sentTo, runSteps, clock, deps, accountId, mails } = await makeMailingClinic(3);
    await requestMailing();
    await runSteps(2);
    expect(sentTo()).toEqual([]);
    expect(await results()).toEqual(['waiting', 'waiting', 'waiting']);
    clock.now += UNDO_MS;
    await runSteps(1);
    expect(sentTo()).toEqual(payerAddresses(3));
    expect(await results()).toEqual(['sent', 'sent', 'sent']);
    expect(await viewMailing(deps, accountId)).toMatchObject({ is_over: true, is_stopped: false, starts_in_ms: 0 });
    expect(mails[0]?.text).toContain('/make/payment/');
  });

  it('sends nothing when it is undone', async () => {
    const { requestMailing, results, sentTo, runSteps, clock, deps, staff, accountId } = await makeMailingClinic(2);
    const mailing = await requestMailing();
    clock.now += UNDO_MS - 1;
    if (!mailing || mailing === 'busy') throw new Error('it was not begun');
    await stopOwnMailing(deps, staff, mailing.id);
    clock.now += MINUTE;
    await runSteps(2);
    expect(sentTo()).toEqual([]);
    expect(await results()).toEqual(['left-out: stopped', 'left-out: stopped']);
    expect(await viewMailing(deps, accountId)).toMatchObject({ is_over: true, is_stopped: true });
  });

  it('sends nothing more once it is stopped, even while a link is being created', async () => {
    const { begin, results, sentTo, deps, staff } = await makeMailingClinic(4);
    const id = await begin();
    const { getInvoice } = deps.crm;
    let readCount = 0;
    deps.crm.getInvoice = async (...args) => {
      if (++readCount === 3) await stopOwnMailing(deps, staff, id);
      return getInvoice(...args);
    };
    await sendMailings(deps);
    expect(sentTo()).toEqual(payerAddresses(2));
    expect(await results()).toEqual(['sent', 'sent', 'left-out: stopped', 'left-out: stopped']);
  });

  it('cannot be stopped by another account', async () => {
    const { begin, deps, runSteps, sentTo } = await makeMailingClinic(1);
    const id = await begin();
    await stopOwnMailing(deps, { accountId: 1, userId: 1 }, id);
    await runSteps(1);
    expect(sentTo()).toEqual(payerAddresses(1));
  });

  it('skips paid, deleted and just-mailed invoices and those with a missing or bad address', async () => {
    const { begin, change, results, sentTo, runSteps, accountId, ids, books, clock, db, deps } =
      await makeMailingClinic(9);
    const id = await begin();
    change(0, { status: 'paid', balanceCents: 0 });
    change(1, { contact: { firstName: '', lastName: '', email: ' ' } });
    change(2, { contact: { firstName: '', lastName: '', email: 'nobody' } });
    const insertBadAddress = env.DB.prepare("INSERT INTO mail_addresses VALUES (?, ?, ?, 'm', 0)");
    await insertBadAddress.bind(accountId, 'payer3@example.test', 'bounced').run();
    change(3, { contact: { firstName: '', lastName: '', email: 'Payer3@Example.test ' } });
    await insertBadAddress.bind(accountId, 'payer4@example.test', 'complained').run();
    const mail = { id: crypto.randomUUID(), recipient: 'payer5@example.test', accountId, invoiceId: ids[5] ?? '' };
    await queueMail(db, { ...mail, kind: 'reminder' }, clock.now);
    await env.DB.prepare("UPDATE outbox SET state = 'sent' WHERE id = ?").bind(mail.id).run();
    change(6, { currency: 'EUR' });
    books.delete(ids[7] ?? '');
    await runSteps(1);
    expect(await results()).toEqual([
      ...[
        'paid',
        'no-address',
        'bad-address',
        'bounced',
        'complained',
        'just-mailed',
        'not-payable-online',
        'gone',
      ].map((reason) => `left-out: ${reason}`),
      'sent',
    ]);
    expect(sentTo()).toEqual(['payer8@example.test']);
    const view = await viewMailing(deps, accountId);
    expect(view?.invoices.map(({ currency }) => currency).slice(5, 7)).toEqual(['USD', 'EUR']);
    expect(id).not.toBe('');
  });

  it('skips an invoice with a payment of unknown outcome', async () => {
    const world = await makeMailingClinic(0);
    world.crm.invoice = null;
    const id = world.invoiceId;
    world.books.set(id, { ...(await makeWorld()).crm.invoice, id } as CrmInvoice);
    await world.begin([id]);
    await env.DB.prepare(
      `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, channel, method, state, amount_cents, currency,
        invoice_number, dedupe_key, receipt_id, terminal_id, hold_until, created_at, time_zone, day, receipt_to)
        VALUES (?1, ?2, ?1, 1, 'link', 'card', 'unknown', 100, 'USD', '', ?1, ?1, ?3, 0, 0, 'UTC', '2026-03-04', '')`,
    )
      .bind(id, world.accountId, `T${world.accountId}`)
      .run();
    await world.runSteps(1);
    expect(await world.results()).toEqual(['left-out: paying']);
  });

  it('mails a partly paid invoice with the amount left', async () => {
    const { clock, deps, begin, runSteps, ids, results, mails, accountId } = await makeMailingClinic(1);
    const manager = { accountId, userId: 1, role: 'manager' } as Merchant;
    const [id = ''] = ids;
    await switchParts(deps, manager, true);
    const link = await issuePayLink(deps, accountId, id);
    expect(await openParts(deps, manager, id, { minCents: 2_000, deposit: null })).toMatchObject({ kind: 'opened' });
    const form = paymentForm({ part: { amount: '50.00' } });
    await takePayment(deps, link?.payId ?? '', form, { clientIp: 'ip' });
    clock.now += 3_600_000;
    await begin();
    await runSteps(1);
    expect(await results()).toEqual(['sent']);
    expect(mails.map(({ text }) => /^Amount due: (.*)$/m.exec(text)?.[1])).toContain('$134.00 USD');
  });

  it('skips an invoice in installments with a changed amount or a refund under way', async () => {
    const { clock, deps, begin, runSteps, ids, results, change, accountId, db } = await makeMailingClinic(2);
    const manager = { accountId, userId: 1, role: 'manager' } as Merchant;
    await switchParts(deps, manager, true);
    for (const id of ids) {
      const link = await issuePayLink(deps, accountId, id);
      await openParts(deps, manager, id, { minCents: 2_000, deposit: null });
      await takePayment(deps, link?.payId ?? '', paymentForm({ part: { amount: '50.00' } }), { clientIp: id });
    }
    clock.now += 3_600_000;
    change(0, { balanceCents: 15_000 });
    const [attempt] = (await db.select().from(paymentAttempts)).filter(({ invoiceId }) => invoiceId === ids[1]);
    await env.DB.prepare(
      `INSERT INTO reversals (id, account_id, attempt_id, invoice_id, kind, amount_cents, state, reason, requested_by, request_key, dedupe_key,
        hold_until, created_at) VALUES (?1, ?2, ?1, ?3, 'refund', 100, 'unknown', '', 1, ?1, ?1, 0, 0)`,
    )
      .bind(attempt?.id, accountId, ids[1])
      .run();
    await begin();
    await runSteps(2);
    expect(await results()).toEqual(['left-out: amount-changed', 'left-out: paying']);
  });

  it('stops at the daily cap and reports it', async () => {
    const { begin, deps, results, runSteps } = await makeMailingClinic(4);
    deps.settings = { ...deps.settings, MAILS_PER_ACCOUNT_DAY: 2 };
    await begin();
    await runSteps(1);
    expect(await results()).toEqual(['sent', 'sent', 'left-out: day-full', 'left-out: day-full']);
  });

  it('waits while the CRM does not answer, and is given up after half a day', async () => {
    const { begin, crmState, results, runSteps, clock, sentTo } = await makeMailingClinic(2);
    await begin();
    crmState.isSilent = true;
    await runSteps(1);
    expect(await results()).toEqual(['waiting', 'waiting']);
    const { reads } = crmState;
    await runSteps(2);
    expect(crmState.reads, 'it is not asked again at once').toBe(reads);
    crmState.isSilent = false;
    clock.now += 13 * 60 * MINUTE;
    await runSteps(1);
    expect(sentTo()).toEqual([]);
    expect(await results()).toEqual(['left-out: too-late', 'left-out: too-late']);
  });
});

describe('duplicate emails in a mailing', () => {
  it('are prevented when the request is repeated or comes from a second tab', async () => {
    const { requestMailing, runSteps, clock, sentTo, ids } = await makeMailingClinic(3);
    const id = crypto.randomUUID();
    const first = await requestMailing(ids, id);
    expect(await requestMailing(ids, id)).toEqual(first);
    expect(await requestMailing()).toBe('busy');
    clock.now += UNDO_MS;
    await runSteps(2);
    expect(await requestMailing(ids, id), 'it is over, and stays so').toMatchObject({ id, is_over: true });
    const repeated = await requestMailing();
    expect(repeated).toMatchObject({ is_over: false });
    clock.now += UNDO_MS;
    await runSteps(2);
    expect(sentTo()).toEqual(payerAddresses(3));
  });

  it('are prevented when runs overlap or one is interrupted before saving its outcome', async () => {
    const { begin, deps, runSteps, clock, sentTo, results, mails } = await makeMailingClinic(3);
    await begin();
    const { send } = deps.mailer;
    let tries = 0;
    deps.mailer.send = async (mail) => {
      const result = await send(mail);
      // The service accepted it, but the run dies before it gets the response.
      if (++tries === 2) throw new Error('died');
      return result;
    };
    await Promise.all([sendMailings(deps), sendMailings(deps)]);
    // The run ended without updating its mailing, as if the object had died.
    await env.DB.prepare("UPDATE mailing_invoices SET state = 'waiting' WHERE state = 'handed'").run();
    clock.now += 6 * MINUTE;
    await runSteps(2);
    clock.now += 10 * MINUTE;
    await CLINIC_STEPS.mails?.(deps);
    await runSteps(1);
    expect(await results()).toEqual(['sent', 'sent', 'sent']);
    // A repeated email has the same key, by which the service recognizes it.
    expect(new Set(mails.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(3);
    expect([...new Set(sentTo())]).toEqual(payerAddresses(3));
  });

  it(`are prevented for ${LINK_COUNT} links through reloads and second clicks, with ten links per run`, {
    timeout: 240_000,
  }, async () => {
    const { begin, requestMailing, runSteps, sentTo, deps, accountId, ids } = await makeMailingClinic(LINK_COUNT);
    const id = await begin();
    const lastRun = LINK_COUNT / 10 - 1;
    for (let run = 0; run <= lastRun; run++) {
      await runSteps(1);
      // A reload of the screen shows the progress.
      const view = await viewMailing(deps, accountId);
      expect(view?.invoices.filter(({ state }) => state === 'sent')).toHaveLength(10 * (run + 1));
      if (run % 5 === 4) expect(await requestMailing(ids, id)).toMatchObject({ id, is_over: run === lastRun });
      if (run % 5 === 0) expect(await requestMailing()).toBe('busy');
    }
    expect(sentTo()).toEqual(payerAddresses(LINK_COUNT));
  });
});

describe('a receipt due during a mailing', () => {
  it('is sent before the remaining links', async () => {
    const world = await makeMailingClinic(30);
    const { begin, books, crm, deps, invoiceId, mails, payId, runSteps } = world;
    await begin();
    await runSteps(1);
    books.set(invoiceId, crm.invoice as CrmInvoice);
    await takePayment(deps, payId, paymentForm(), { clientIp: null });
    const steps = Object.entries(CLINIC_STEPS).filter(([name]) => name === 'mails' || name === 'mailings');
    for (const [, step] of steps) await step(deps);
    const kinds = mails.map(({ idempotencyKey }) => (idempotencyKey.startsWith('receipt-') ? 'receipt' : 'link'));
    expect(kinds.indexOf('receipt')).toBe(10);
    expect(kinds).toHaveLength(21);
  });
});
