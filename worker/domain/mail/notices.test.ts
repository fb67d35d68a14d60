import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { paymentForm } from '#tests/support/pay-form';
import { eventsOf } from '#tests/support/unit/trail';
import { makeWorld, type World } from '#tests/support/unit/world';
import { listDueMail, queueMail, receiptMailId } from '#worker/data/mail/outbox';
import { takePayment } from '#worker/domain/payments/take-payment';
import { CLINIC_STEPS } from '../run-schedule.ts';
import { choosePaymentNotices, queuePaymentNotices, viewPaymentNotices } from './payment-notices.ts';
import { sendMail } from './send.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const at = (text: string) => Date.parse(text);

async function addUser(world: World, userId: number, email: string) {
  await env.DB.prepare(
    "INSERT INTO users (account_id, user_id, email, role, last_login_at) VALUES (?, ?, ?, 'desk', 0)",
  )
    .bind(world.accountId, userId, email)
    .run();
  return { accountId: world.accountId, userId };
}

/** A clinic with Ana (1), Bo (2) and Cy (3), whose address is unknown. */
async function makeClinic() {
  const world = await makeWorld();
  const { accountId, deps } = world;
  const [ana, bo, cy] = [
    await addUser(world, 1, 'ana@clinic.example'),
    await addUser(world, 2, 'bo@clinic.example'),
    await addUser(world, 3, ''),
  ];
  let rows = 0;
  /** Adds a ledger entry, by default for a new payment. */
  const book = async (
    options: Partial<Record<'kind' | 'channel' | 'attempt', string>> & { cents?: number; at?: number },
  ) => {
    const id = options.attempt ?? `${accountId}-${rows}`;
    const bookedAt = options.at ?? world.clock.now;
    if (!options.attempt)
      await env.DB.prepare(
        `INSERT INTO payment_attempts (id, account_id, invoice_id, collection, channel, method, state, amount_cents, currency,
          invoice_number, dedupe_key, receipt_id, terminal_id, hold_until, created_at, time_zone, day, receipt_to)
          VALUES (?1, ?2, ?1, 1, 'link', 'card', 'approved', 100, 'USD', ?3, ?1, ?1, ?4, 0, 0, 'UTC', '2026-03-04', '')`,
      )
        .bind(id, accountId, `INV-${rows}`, `T${accountId}`)
        .run();
    await env.DB.prepare(
      `INSERT INTO ledger (account_id, provider_txn_id, attempt_id, invoice_id, kind, amount_cents, currency, channel, method,
        brand, at, day) VALUES (?1, ?2, ?3, ?3, ?4, ?5, 'USD', ?6, 'card', 'VISA', ?7, '')`,
    )
      .bind(
        accountId,
        `x${rows++}`,
        id,
        options.kind ?? 'payment',
        options.cents ?? 100,
        options.channel ?? 'link',
        bookedAt,
      )
      .run();
    return id;
  };
  const turn = async () => {
    await queuePaymentNotices(deps);
    await CLINIC_STEPS.mails?.(deps);
  };
  const toStaff = () => world.mails.filter(({ to }) => to.endsWith('@clinic.example'));
  const pay = () => takePayment(deps, world.payId, paymentForm(), { clientIp: null });
  return { ...world, ana, bo, cy, book, turn, toStaff, pay };
}

describe('an immediate payment notice', () => {
  it('is off until a user chooses it, and then goes only to that user', async () => {
    const { deps, ana, bo, turn, toStaff, pay, invoiceId } = await makeClinic();
    expect(await viewPaymentNotices(deps, ana)).toEqual({ how: 'never', to: 'ana@clinic.example' });
    await choosePaymentNotices(deps, ana, 'at-once');
    expect(await viewPaymentNotices(deps, bo)).toMatchObject({ how: 'never' });
    expect((await pay()).kind).toBe('approved');
    expect(toStaff(), 'nothing is mailed while the payer waits').toEqual([]);
    await turn();
    expect(toStaff()).toHaveLength(1);
    expect(toStaff()[0]).toMatchObject({ to: 'ana@clinic.example', subject: `Invoice INV-${invoiceId} was paid` });
    const { text = '', html = '' } = toStaff()[0] ?? {};
    for (const body of [text, html]) {
      expect(body).toContain('$184.00 USD');
      expect(body).toContain(`http://localhost:8787/invoice/${invoiceId}`);
      for (const secret of ['1111', 'VISA', 'Visa', 'Marta', 'Núñez', '1 Elm St', 'marta@'])
        expect(body.includes(secret), secret).toBe(false);
    }
  });

  it('is sent once per payment and user, even if it is settled, sent or queued again', async () => {
    const { deps, ana, bo, turn, toStaff, pay, db, attempts } = await makeClinic();
    for (const user of [ana, bo]) await choosePaymentNotices(deps, user, 'at-once');
    await pay();
    await pay();
    const [attempt] = await attempts();
    const copy = { id: `notice-${attempt?.id}-1`, kind: 'payment-notice' as const, recipient: 'ana@clinic.example' };
    await queueMail(db, { ...copy, accountId: ana.accountId }, deps.now());
    for (let n = 0; n < 3; n++) await turn();
    await sendMail(deps, copy.id);
    expect(
      toStaff()
        .map(({ to }) => to)
        .sort(),
    ).toEqual(['ana@clinic.example', 'bo@clinic.example']);
    expect(new Set(toStaff().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(2);
  });

  it('covers payments by link but no card reader payment, refund, void or return', async () => {
    const { deps, ana, turn, toStaff, book } = await makeClinic();
    await choosePaymentNotices(deps, ana, 'at-once');
    await book({ channel: 'terminal' });
    expect(toStaff()).toEqual([]);
    const attempt = await book({});
    for (const kind of ['refund', 'void', 'return']) await book({ kind, attempt, cents: -100 });
    await turn();
    expect(toStaff()).toHaveLength(1);
  });

  it('is sent after all payer emails, and counts toward the daily limit without being held back', async () => {
    const { deps, ana, turn, toStaff, pay, db, clock, accountId, attempts } = await makeClinic();
    deps.settings = { ...deps.settings, MAILS_PER_ACCOUNT_DAY: 0 };
    await choosePaymentNotices(deps, ana, 'at-once');
    await pay();
    await queueMail(
      db,
      { id: `link-${accountId}`, kind: 'pay-link', recipient: 'p@payer.example', accountId },
      clock.now + 1,
    );
    const [attempt] = await attempts();
    const receipt = receiptMailId(attempt?.id ?? '');
    await env.DB.prepare('UPDATE outbox SET next_try_at = ? WHERE id = ?')
      .bind(clock.now + 2, receipt)
      .run();
    const due = await listDueMail(db, clock.now + 5, 50);
    expect(due.map(({ kind }) => kind)).toEqual([
      ...(due[0]?.kind === 'receipt' ? ['receipt'] : []),
      'pay-link',
      'payment-notice',
    ]);
    const { n } = (await env.DB.prepare('SELECT sum(mails) AS n FROM mail_days WHERE account_id = ?')
      .bind(accountId)
      .first<{ n: number }>()) ?? { n: 0 };
    expect(n).toBe(
      (
        await env.DB.prepare('SELECT count(*) AS n FROM outbox WHERE account_id = ?')
          .bind(accountId)
          .first<{ n: number }>()
      )?.n,
    );
    await turn();
    expect(toStaff()).toHaveLength(1);
  });

  it.each([
    ['who was removed earlier', 'UPDATE users SET removed_at = 1 WHERE account_id = ? AND user_id = 1', 'before'],
    [
      'who was removed before it is sent',
      'UPDATE users SET removed_at = 1 WHERE account_id = ? AND user_id = 1',
      'after',
    ],
    [
      'whose address changed before it is sent',
      "UPDATE users SET email = 'x@clinic.example' WHERE account_id = ?",
      'after',
    ],
    ['of an account that closes', 'UPDATE accounts SET closes_at = 1 WHERE account_id = ?', 'before'],
    ['of an account that closes before it is sent', 'UPDATE accounts SET closes_at = 1 WHERE account_id = ?', 'after'],
    ['who turned notices off before it is sent', 'DELETE FROM payment_notices WHERE account_id = ?', 'after'],
  ])('is not sent to a user %s', async (_title, sql, when) => {
    const { deps, ana, turn, toStaff, book, accountId } = await makeClinic();
    await choosePaymentNotices(deps, ana, 'at-once');
    const change = () => env.DB.prepare(sql).bind(accountId).run();
    if (when === 'before') await change();
    await book({});
    if (when === 'after') await change();
    await turn();
    expect(toStaff()).toEqual([]);
  });
});

describe('a daily payment notice', () => {
  it('is sent at 8 AM clinic time for the day before, unless nothing was paid', async () => {
    const { deps, ana, turn, toStaff, book, clock } = await makeClinic();
    // 15:00 UTC is 10:00 in Indianapolis.
    await choosePaymentNotices(deps, ana, 'daily');
    await book({ cents: 12_345 });
    await book({ cents: 655 });
    await book({ cents: 99, channel: 'terminal' });
    clock.now = at('2026-03-05T12:59:00Z');
    await book({ cents: 777 });
    await turn();
    expect(toStaff()).toEqual([]);
    clock.now = at('2026-03-05T13:00:00Z');
    for (let n = 0; n < 3; n++) await turn();
    expect(toStaff()).toHaveLength(1);
    expect(toStaff()[0]).toMatchObject({ to: 'ana@clinic.example', subject: '2 payments by link on Mar 4, 2026' });
    expect(toStaff()[0]?.text).toContain('In all: $130.00 USD\n\nINV-0: $123.45 USD\nINV-1: $6.55 USD\n');
    expect(toStaff()[0]?.text).not.toMatch(/VISA|Marta|7\.77/);
    clock.now += DAY;
    await turn();
    expect(toStaff()[1]).toMatchObject({ subject: '1 payment by link on Mar 5, 2026' });
    clock.now += DAY;
    await turn();
    expect(toStaff()).toHaveLength(2);
  });

  it('lists twenty payments and says how many more there are', async () => {
    const { deps, ana, turn, toStaff, book, clock } = await makeClinic();
    await choosePaymentNotices(deps, ana, 'daily');
    for (let n = 0; n < 23; n++) await book({});
    clock.now += DAY;
    await turn();
    const { text = '', html = '' } = toStaff()[0] ?? {};
    expect(text.match(/^INV-\d+: /gm)).toHaveLength(20);
    expect(text).toContain('\nand 3 more\n');
    expect(html).toContain('and 3 more');
    expect(text).toContain('In all: $23.00 USD');
  });

  it('reports a bank debit once, and not again when the bank returns it', async () => {
    const { deps, ana, turn, toStaff, book, clock } = await makeClinic();
    await choosePaymentNotices(deps, ana, 'daily');
    const attempt = await book({});
    clock.now += DAY;
    await turn();
    expect(toStaff()).toHaveLength(1);
    await book({ kind: 'return', attempt, cents: -100 });
    await env.DB.prepare("UPDATE payment_attempts SET state = 'returned', settled_at = ? WHERE id = ?")
      .bind(clock.now, attempt)
      .run();
    clock.now += DAY;
    await turn();
    expect(toStaff()).toHaveLength(1);
  });

  it('leaves out voided payments', async () => {
    const { deps, ana, turn, toStaff, book, clock } = await makeClinic();
    await choosePaymentNotices(deps, ana, 'daily');
    const attempt = await book({});
    await book({ kind: 'void', attempt, cents: -100 });
    clock.now += DAY;
    await turn();
    expect(toStaff()).toEqual([]);
  });

  it('covers the days of an outage in one email and is still sent at 8 AM after daylight saving begins', async () => {
    const { deps, ana, turn, toStaff, book, clock } = await makeClinic();
    await choosePaymentNotices(deps, ana, 'daily');
    for (const day of ['2026-03-06T15:00:00Z', '2026-03-08T15:00:00Z']) await book({ at: at(day) });
    clock.now = at('2026-03-09T11:59:59Z');
    await turn();
    expect(toStaff()).toEqual([]);
    clock.now = at('2026-03-09T12:00:00Z');
    await turn();
    expect(toStaff()[0]).toMatchObject({ subject: '2 payments by link from Mar 4, 2026 to Mar 8, 2026' });
    await book({ at: at('2026-03-09T15:00:00Z') });
    const sentCount = async () => {
      await turn();
      return toStaff().length;
    };
    clock.now = at('2026-03-10T11:59:59Z');
    expect(await sentCount()).toBe(1);
    clock.now = at('2026-03-10T12:00:00Z');
    expect(await sentCount()).toBe(2);
  });

  it('starts when it is chosen, does not restart when chosen again, and ends for a removed user', async () => {
    const { deps, ana, turn, toStaff, book, clock, accountId } = await makeClinic();
    await book({});
    clock.now += HOUR;
    await choosePaymentNotices(deps, ana, 'daily');
    await book({});
    clock.now += HOUR;
    await choosePaymentNotices(deps, ana, 'daily');
    clock.now += DAY;
    await turn();
    expect(toStaff()[0]).toMatchObject({ subject: '1 payment by link on Mar 4, 2026' });
    await book({});
    await env.DB.prepare('UPDATE users SET removed_at = 1 WHERE account_id = ? AND user_id = 1').bind(accountId).run();
    clock.now += DAY;
    await turn();
    expect(toStaff()).toHaveLength(1);
    const { n } = (await env.DB.prepare('SELECT count(*) AS n FROM payment_notices').first<{ n: number }>()) ?? {
      n: -1,
    };
    expect(n).toBe(0);
  });

  it('does not stay due for a user whose address is no longer known', async () => {
    const { deps, ana, turn, toStaff, book, clock, accountId } = await makeClinic();
    await choosePaymentNotices(deps, ana, 'daily');
    await book({});
    await env.DB.prepare("UPDATE users SET email = '' WHERE account_id = ?").bind(accountId).run();
    clock.now += DAY;
    await turn();
    expect(toStaff()).toEqual([]);
    const next = await env.DB.prepare('SELECT next_at FROM payment_notices').first<number>('next_at');
    expect(next).toBeGreaterThan(clock.now);
  });
});

describe('choosing payment notices', () => {
  it('records each change once with the previous choice in the trail', async () => {
    const { deps, ana, accountId } = await makeClinic();
    for (const choice of ['at-once', 'at-once', 'daily', 'never', 'never'] as const)
      await choosePaymentNotices(deps, ana, choice);
    const events = await eventsOf(accountId, 'notices.changed');
    expect(events.map(({ subjectId, before, after }) => [subjectId, before, after])).toEqual([
      ['1', '{"how":"never"}', '{"how":"at-once"}'],
      ['1', '{"how":"at-once"}', '{"how":"daily"}'],
      ['1', '{"how":"daily"}', '{"how":"never"}'],
    ]);
  });

  it('requires an email address', async () => {
    const { deps, cy } = await makeClinic();
    expect(await choosePaymentNotices(deps, cy, 'daily')).toBeNull();
    expect(await viewPaymentNotices(deps, cy)).toEqual({ how: 'never', to: '' });
  });
});
