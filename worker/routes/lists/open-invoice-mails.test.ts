import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { hubs } from '#sandbox/credentials';
import { OpenInvoiceItem } from '#shared/contracts/lists/lists';
import { localMoment } from '#shared/text/local-day';
import { bearer } from '#tests/support/consent';
import { logIn, makeApp } from '#tests/support/login';
import { addInvoices } from '#tests/support/unit/lists';

const ACCOUNT_ID = hubs[0].hubId;
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 2, 4);

async function makeMerchant() {
  const clock = { now: Date.now() };
  const app = makeApp({ now: () => clock.now });
  const { token } = await logIn(app, 0);
  const get = (path: string) => app.request(path, { headers: bearer(token) });
  const listOpenInvoices = async (query = '') => {
    const response = await get(`/api/invoices/getOpenInvoices${query}`);
    expect(response.status).toBe(200);
    return z.array(OpenInvoiceItem).parse(await response.json());
  };
  return { app, clock, get, open: listOpenInvoices };
}

describe('an open invoice row', () => {
  it('shows the last email sent, including a reminder, with its delivery state', async () => {
    const { open, clock, get } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', number: 'A' },
      { invoiceId: '2', number: 'B', createdAt: clock.now - 399 * DAY },
      { invoiceId: '3', number: 'C', createdAt: clock.now - 401 * DAY },
    ]);
    const mail = (id: string, kind: string, state: string, at: number) =>
      env.DB.prepare(
        `INSERT INTO outbox (id, kind, recipient, account_id, invoice_id, state, next_try_at, created_at, sent_at)
         VALUES (?, ?, 'a@b.example', ?, '1', ?, 0, ?, ?)`,
      )
        .bind(id, kind, ACCOUNT_ID, state, at, state === 'due' ? null : at)
        .run();
    await mail('m1', 'pay-link', 'sent', NOW);
    await mail('m2', 'crm-receipt', 'sent', NOW + 2);
    await mail('m3', 'pay-link', 'failed', NOW + 3);
    await mail('m4', 'pay-link', 'due', NOW + 4);
    const at = (ms: number) => new Date(ms).toISOString();
    const rows = async () => (await open('?sort=invoice_number')).map((row) => [row.last_email, row.never_emailed]);
    expect(await rows()).toEqual([
      [{ kind: 'receipt', at: at(NOW + 2), delivery: null, told_at: null }, false],
      [null, true],
      // The emails of an invoice this old may have been deleted.
      [null, false],
    ]);
    await mail('m5', 'reminder', 'sent', NOW + 5);
    await env.DB.prepare("UPDATE outbox SET delivery = 'bounced', delivery_at = ? WHERE id = 'm5'")
      .bind(NOW + 6)
      .run();
    await env.DB.prepare("INSERT INTO page_views VALUES (?1, '1', 'a', ?2), (?1, '1', 'b', ?3)")
      .bind(ACCOUNT_ID, NOW - 9, NOW - 8)
      .run();
    expect(await rows()).toMatchObject([
      [{ kind: 'reminder', at: at(NOW + 5), delivery: 'bounced', told_at: at(NOW + 6) }, false],
      [null, true],
      [null, false],
    ]);
    expect((await open('?sort=invoice_number')).map(({ opened_at }) => opened_at)).toEqual([at(NOW - 8), null, null]);
    const csv = await (await get('/api/invoices/getOpenInvoices?format=csv&sort=invoice_number')).text();
    const [header, first] = csv.split('\r\n');
    const LAST_COLUMNS =
      ',"Last mail","Last mail sent","Last mail came to","Payment page opened","No mail arrives, because","Next reminder"';
    expect(header).toContain(LAST_COLUMNS);
    const zone = await env.DB.prepare('SELECT time_zone FROM accounts').first<string>('time_zone');
    const toLocalMoment = (moment: number) => localMoment(moment, zone ?? '');
    expect(first).toContain(`"reminder","${toLocalMoment(NOW + 5)}","bounced","${toLocalMoment(NOW - 8)}","",""`);
  });

  it('shows why an address gets no email, even if it is spelled in another case', async () => {
    const { open } = await makeMerchant();
    await addInvoices(ACCOUNT_ID, [
      { invoiceId: '1', number: 'A', contactEmail: ' Bad@b.example' },
      { invoiceId: '2', number: 'B', contactEmail: 'good@b.example' },
    ]);
    await env.DB.prepare("INSERT INTO mail_addresses VALUES (?, 'bad@b.example', 'complained', 'm', 0)")
      .bind(ACCOUNT_ID)
      .run();
    expect((await open('?sort=invoice_number')).map(({ bad_address }) => bad_address)).toEqual(['complained', null]);
  });

  it('shows the same next reminder as the invoice page, and none while reminders are off', async () => {
    const { open, get, clock, app } = await makeMerchant();
    clock.now = Date.UTC(2026, 2, 4, 15);
    const { token } = await logIn(app, 0);
    const dueIn = (days: number) => ({ dueDate: new Date(clock.now + days * DAY).toISOString().slice(0, 10) });
    const withEmail = (contactEmail: string) => ({ contactEmail, balanceCents: 100 });
    const invoiceSeeds: Parameters<typeof addInvoices>[1] = [
      { invoiceId: '1', ...withEmail('a@b.example'), ...dueIn(4) },
      { invoiceId: '2', ...withEmail('a@b.example'), ...dueIn(20) },
      { invoiceId: '3', ...withEmail('a@b.example'), ...dueIn(-30) },
      { invoiceId: '4', ...withEmail('a@b.example') },
      { invoiceId: '5', ...withEmail(' '), ...dueIn(4) },
      { invoiceId: '6', ...withEmail('bad@b.example'), ...dueIn(4) },
      { invoiceId: '7', ...withEmail('stopped@b.example'), ...dueIn(4) },
      { invoiceId: '8', ...withEmail('excluded@b.example'), ...dueIn(4) },
      { invoiceId: '9', ...withEmail('paying@b.example'), ...dueIn(4) },
      { invoiceId: '10', ...withEmail('euro@b.example'), ...dueIn(4), currency: 'EUR' },
      { invoiceId: '11', ...withEmail('paid@b.example'), ...dueIn(4), localStatus: 'paid' },
      { invoiceId: '12', ...withEmail('much@b.example'), ...dueIn(4), balanceCents: 100_000_000_000 },
      { invoiceId: '13', ...withEmail('planned@b.example'), ...dueIn(4) },
      { invoiceId: '14', ...withEmail('mailed@b.example'), ...dueIn(4) },
    ];
    await addInvoices(ACCOUNT_ID, invoiceSeeds);
    const run = (sql: string, ...values: unknown[]) =>
      env.DB.prepare(sql)
        .bind(ACCOUNT_ID, ...values)
        .run();
    await run("INSERT INTO mail_addresses VALUES (?, 'bad@b.example', 'bounced', 'm', 0)");
    await run("INSERT INTO reminder_opt_outs VALUES ('t', ?, 'stopped@b.example', 0, 1)");
    await run("INSERT INTO reminder_exclusions VALUES (?, '8', 1, 0)");
    await run(
      `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, channel, method, state, amount_cents, currency,
        invoice_number, dedupe_key, receipt_id, terminal_id, hold_until, created_at, time_zone, day, receipt_to)
        VALUES ('a9', ?1, '9', 1, 'link', 'card', 'unknown', 100, 'USD', '', 'a9', 'a9', 'T', 0, 0, 'UTC', '2026-03-04', '')`,
    );
    await run(
      `INSERT INTO reminders VALUES ('reminder-' || ?1 || '-13-1--3', ?1, '13', -3, 'handed', '', '2026-03-04', ?2)`,
      clock.now,
    );
    await run(
      `INSERT INTO outbox (id, kind, recipient, account_id, invoice_id, state, next_try_at, created_at)
        VALUES ('m14', 'pay-link', 'mailed@b.example', ?1, '14', 'due', 0, ?2)`,
      clock.now,
    );
    const nextReminders = async () =>
      new Map((await open('?size=50')).map(({ crm_id, next_reminder_at }) => [crm_id, next_reminder_at]));
    expect(new Set((await nextReminders()).values())).toEqual(new Set([null]));
    await run("INSERT INTO reminder_plans VALUES (?1, '[-3,0,14]', 1, 0, '2026-03-03', ?2, 0)", clock.now);
    const remindersWhileOn = await nextReminders();
    for (const { invoiceId } of invoiceSeeds) {
      const invoiceReply = await app.request(`/api/invoices/${invoiceId}/reminders`, { headers: bearer(token) });
      expect(remindersWhileOn.get(invoiceId), invoiceId).toBe(
        ((await invoiceReply.json()) as { next_at: string | null }).next_at,
      );
    }
    const idsWithReminder = [...remindersWhileOn].filter(([, at]) => at !== null).map(([id]) => id);
    expect(idsWithReminder.sort()).toEqual(['1', '13', '14', '2'].sort());
    const csv = await (await get('/api/invoices/getOpenInvoices?format=csv')).text();
    // 9 a.m. in the clinic's time zone.
    expect(csv).toContain('"2026-03-05 09:00"');
  });
});
