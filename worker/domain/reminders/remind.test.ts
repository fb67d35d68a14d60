import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { localDay } from '#shared/text/local-day';
import { mayWriteAt } from '#shared/text/working-hours';
import { makeWorld, type World } from '#tests/support/unit/world';
import { saveInvoice } from '#worker/data/invoices/invoices';
import { savePlan } from '#worker/data/reminders/plans';
import { stopBy } from '#worker/data/reminders/stops';
import { auditEvent } from '#worker/domain/audit/event';
import type { CrmInvoice } from '#worker/vendors/hubspot/port';
import { CrmError } from '#worker/vendors/hubspot/port';
import { runJobs } from '../run-schedule.ts';
import { viewInvoiceReminders } from './invoice.ts';
import { remind } from './send.ts';
import { switchOn } from './settings.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const ZONE = 'America/Indiana/Indianapolis';
const at = (text: string) => Date.parse(text);

type Books = Map<string, CrmInvoice>;

/** A clinic whose CRM has invoices due on each day around the start, and reminders that are on. */
async function clinic({ invoices, steps, from }: { invoices: number; steps: number[]; from: number }) {
  const world = await makeWorld();
  world.clock.now = from;
  const books: Books = new Map();
  const line = { isSilent: false };
  world.deps.crm = {
    ...world.deps.crm,
    getInvoice: async (_token, id) => {
      if (line.isSilent) throw new CrmError('unavailable', 'silent');
      return books.get(id) ?? null;
    },
  };
  const [template] = [world.crm.invoice as CrmInvoice];
  for (let n = 0; n < invoices; n++) {
    const id = `${world.invoiceId}${n}`;
    const invoice: CrmInvoice = {
      ...template,
      ...{ id, number: `INV-${n}`, dueDate: localDay(from + ((n % 30) - 10) * DAY, ZONE) },
      contact: { firstName: 'Marta', lastName: 'Núñez', email: `payer${n}@example.test` },
    };
    books.set(id, invoice);
    await saveInvoice(world.db, world.accountId, invoice, from);
  }
  await switchOn(world.deps, { accountId: world.accountId, userId: 1 }, steps);
  return { ...world, books, line };
}

/** The clock of the clinic, each half hour, but for the times in which it stands still. */
async function pass(world: World, until: number, isDown: (now: number) => boolean, each: () => Promise<void>) {
  for (; world.clock.now < until; world.clock.now += HOUR / 2) {
    if (isDown(world.clock.now)) continue;
    await each();
    for (let turn = 0; turn < 4; turn++) await remind(world.deps);
    await runJobs(world.deps, { mails: (await import('../run-schedule.ts')).CLINIC_STEPS.mails as never });
  }
}

const reminded = (world: World) => world.mails.filter(({ headers }) => headers?.['List-Unsubscribe']);

describe('thirty days of reminders over a clock change', () => {
  it('none twice, none outside of hours, none after it was paid or stopped', { timeout: 300_000 }, async () => {
    const from = at('2026-02-20T15:00:00Z');
    const world = await clinic({ invoices: 60, steps: [-3, 0, 3, 14], from });
    const { books, line, clock, db, accountId, deps } = world;
    const sentAt: { to: string; at: number }[] = [];
    const { send } = deps.mailer;
    deps.mailer.send = async (mail) => {
      if (mail.headers) sentAt.push({ to: mail.to, at: clock.now });
      return send(mail);
    };
    const paid = new Map<string, number>();
    const stopped = new Map<string, number>();
    const down = (now: number) =>
      (now > at('2026-02-25T10:00:00Z') && now < at('2026-02-26T18:00:00Z')) ||
      (now > at('2026-03-10T05:00:00Z') && now < at('2026-03-13T22:00:00Z'));
    let n = 0;
    await pass(world, from + 30 * DAY, down, async () => {
      line.isSilent = clock.now > at('2026-03-03T12:00:00Z') && clock.now < at('2026-03-03T20:00:00Z');
      if (n++ % 40 !== 0) return;
      // The CRM alone knows that it is paid: the copy is old.
      const [first] = [...books.values()].filter(({ contact }) => !paid.has(contact.email));
      if (first) {
        books.set(first.id, { ...first, status: 'paid', balanceCents: 0 });
        paid.set(first.contact.email, clock.now);
      }
      const row = await env.DB.prepare('SELECT token, address FROM mail_stops WHERE hub_id = ? AND stopped_at IS NULL')
        .bind(accountId)
        .first<{ token: string; address: string }>();
      if (!row) return;
      const event = auditEvent(deps, {
        accountId,
        action: 'reminders.stopped',
        subject: ['account', String(accountId)],
      });
      await stopBy(db, row.token, clock.now, event);
      stopped.set(row.address, clock.now);
    });

    expect(sentAt.length).toBeGreaterThan(40);
    expect(new Set(world.mails.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(world.mails.length);
    for (const { to, at: sent } of sentAt) {
      expect(mayWriteAt(sent, ZONE), `${to} at ${new Date(sent).toISOString()}`).toBe(true);
      expect(sent).toBeLessThan(paid.get(to) ?? Number.POSITIVE_INFINITY);
      expect(sent).toBeLessThan(stopped.get(to) ?? Number.POSITIVE_INFINITY);
      const others = sentAt.filter((other) => other.to === to && other.at < sent);
      for (const other of others) expect(sent - other.at).toBeGreaterThanOrEqual(7 * DAY - 24 * HOUR);
    }
    expect(stopped.size).toBeGreaterThan(5);
    const { results } = await env.DB.prepare(
      'SELECT state, why, count(*) AS n FROM reminders WHERE hub_id = ? GROUP BY state, why',
    )
      .bind(accountId)
      .all<{ state: string; why: string; n: number }>();
    const found = new Map(results.map(({ state, why, n: rows }) => [`${state} ${why}`.trim(), rows]));
    expect(found.get('skipped too-late')).toBeGreaterThan(0);
    expect(found.get('void paid')).toBeGreaterThan(0);
    expect(found.get('handed')).toBe(sentAt.length);
  });
});

describe('what an invoice says of its next reminder', () => {
  it('is when the next one goes out, of each invoice', { timeout: 120_000 }, async () => {
    const from = at('2026-03-04T15:00:00Z');
    const until = from + 9 * DAY;
    const world = await clinic({ invoices: 30, steps: [-3, 0, 3], from });
    const { accountId, clock, deps } = world;
    const you = { sessionId: 's', accountId, userId: 1, role: 'admin' } as const;
    const said = new Map<string, number | null>();
    for (const { id, contact } of world.books.values()) {
      const view = await viewInvoiceReminders(deps, you, id);
      said.set(contact.email, view?.next_at ? Date.parse(view.next_at) : null);
    }
    expect(new Set(said.values()).size).toBeGreaterThan(5);
    expect([...said.values()]).toContain(null);
    const first = new Map<string, number>();
    const { send } = deps.mailer;
    deps.mailer.send = async (mail) => {
      if (!first.has(mail.to)) first.set(mail.to, clock.now);
      return send(mail);
    };
    await pass(
      world,
      until,
      () => false,
      async () => {},
    );
    for (const [to, next] of said) {
      const sent = first.get(to) ?? null;
      if (next === null || next >= until) expect(sent, to).toBeNull();
      else expect(new Date(sent ?? 0).toISOString(), to).toBe(new Date(next).toISOString());
    }
    for (const { id, contact } of world.books.values()) {
      const view = await viewInvoiceReminders(deps, you, id);
      const sent = first.get(contact.email);
      if (sent && view?.last?.times === 1) expect(view.last.at).toBe(new Date(sent).toISOString());
      expect(view?.last === null, contact.email).toBe(sent === undefined);
    }
  });
});

describe('a reminder', () => {
  const START = at('2026-03-04T13:00:00Z');
  const one = async (dueDate = '2026-03-04') => {
    const world = await clinic({ invoices: 1, steps: [0], from: START });
    const [invoice] = [...world.books.values()] as [CrmInvoice];
    world.books.set(invoice.id, { ...invoice, dueDate });
    await saveInvoice(world.db, world.accountId, { ...invoice, dueDate }, START);
    const why = async () =>
      await env.DB.prepare('SELECT state, why FROM reminders WHERE hub_id = ?').bind(world.accountId).first();
    return { ...world, invoice, why };
  };

  it('goes out at nine of a working day, names no line and no sum in its subject, and has its stop in the headers', async () => {
    const world = await one();
    await remind(world.deps);
    expect(reminded(world)).toEqual([]);
    world.clock.now = at('2026-03-04T14:00:00Z');
    await remind(world.deps);
    await remind(world.deps);
    const [mail, ...more] = reminded(world);
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: 'payer0@example.test',
      subject: 'A reminder from Maple Street Dental: invoice INV-0',
    });
    expect(mail?.text).toContain('invoice INV-0 is due today, Mar 4, 2026.');
    expect(mail?.headers).toEqual({
      'List-Unsubscribe': expect.stringMatching(/^<http:\/\/localhost:8787\/mail\/stop\/[\w-]{46,52}>$/),
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it.each([
    ['of an invoice that is paid at the CRM', 'paid', (i: CrmInvoice) => ({ ...i, status: 'paid' })],
    [
      'to an address that has changed',
      'address-changed',
      (i: CrmInvoice) => ({ ...i, contact: { ...i.contact, email: 'new@example.test' } }),
    ],
  ])('%s is none', async (_what, word, change) => {
    const world = await one();
    world.books.set(world.invoice.id, change(world.invoice) as CrmInvoice);
    world.clock.now = at('2026-03-04T14:00:00Z');
    await remind(world.deps);
    expect(reminded(world)).toEqual([]);
    expect(await world.why()).toEqual({ state: 'void', why: word });
  });

  it('to an address at which no mail arrives is none', async () => {
    const world = await one();
    await env.DB.prepare("INSERT INTO mail_addresses VALUES (?, 'payer0@example.test', 'bounced', 'm', 0)")
      .bind(world.accountId)
      .run();
    world.clock.now = at('2026-03-04T14:00:00Z');
    await remind(world.deps);
    expect(reminded(world)).toEqual([]);
    expect(await world.why()).toEqual({ state: 'void', why: 'no-mail-arrives' });
  });

  it('waits while the CRM is silent, and goes out later', async () => {
    const world = await one();
    world.line.isSilent = true;
    world.clock.now = at('2026-03-04T14:00:00Z');
    await remind(world.deps);
    expect(reminded(world)).toEqual([]);
    world.line.isSilent = false;
    world.clock.now += HOUR;
    const { CLINIC_STEPS } = await import('../run-schedule.ts');
    await CLINIC_STEPS.mails?.(world.deps);
    expect(reminded(world)).toHaveLength(1);
  });

  it('waits for the next day above the cap of a day', async () => {
    const world = await one();
    world.deps.settings = { ...world.deps.settings, MAILS_PER_ACCOUNT_DAY: 1 };
    const day = START - (START % DAY);
    await env.DB.prepare('INSERT INTO mail_days (hub_id, at, mails) VALUES (?, ?, 1)').bind(world.accountId, day).run();
    world.clock.now = at('2026-03-04T14:00:00Z');
    await remind(world.deps);
    expect(reminded(world)).toEqual([]);
    world.clock.now = at('2026-03-05T14:00:00Z');
    await remind(world.deps);
    expect(reminded(world)).toHaveLength(1);
  });

  it('is not sent once reminders are off', async () => {
    const world = await one();
    world.line.isSilent = true;
    const { accountId, deps } = world;
    const event = auditEvent(deps, { accountId, action: 'reminders.changed', subject: ['account', String(accountId)] });
    await savePlan(world.db, { accountId, steps: [0], doneDay: '2026-03-03', nextRunAt: null, by: 1 }, START, event);
    world.clock.now = at('2026-03-04T14:00:00Z');
    await remind(deps);
    expect(await world.why()).toBeNull();
  });
});
