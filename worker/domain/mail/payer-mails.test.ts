import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Language } from '#shared/words/language';
import { paymentForm } from '#tests/support/pay-form';
import { declinedOutcome, makeWorld, type World } from '#tests/support/unit/world';
import { findLastPayerLanguage } from '#worker/data/mail/last-visit';
import { accounts, invoices, ledger, merchants } from '#worker/data/schema/schema';
import { takePayment } from '#worker/domain/payments/take-payment';
import type { Letter } from './letter.ts';
import { payLinkMail } from './pay-link-mail.ts';
import { findPayerLanguage, payerLanguage } from './payer-language.ts';
import { composeReceiptMail, crmReceiptMail } from './receipt-mail.ts';
import { reminderMail } from './reminder-mail.ts';

type PayerMail = Parameters<typeof crmReceiptMail>[0];

/** An email with the rows that it refers to; `contactLanguage` is as the CRM reports it. */
async function queuedMailOf(
  world: World,
  contactLanguage: string,
  overrides: Partial<PayerMail> = {},
): Promise<PayerMail> {
  const { db, accountId } = world;
  await db.update(invoices).set({ contactLanguage, status: 'open' }).where(eq(invoices.accountId, accountId));
  const [invoice] = await db.select().from(invoices).where(eq(invoices.accountId, accountId));
  const [account] = await db.select().from(accounts).where(eq(accounts.accountId, accountId));
  const [merchant] = await db.select().from(merchants).where(eq(merchants.accountId, accountId));
  const [attempt] = await world.attempts();
  const entries = await db.select().from(ledger).where(eq(ledger.accountId, accountId));
  const language = await payerLanguage(db, { account, invoice });
  return { mail: { details: '{}' }, invoice, account, merchant, attempt, entries, language, ...overrides } as PayerMail;
}

const assertLetter = (letter: Letter | null): Letter => {
  if (!letter) throw new Error('nothing was written');
  return letter;
};
const lines = ({ text }: Letter) => text.split('\n');

describe('an email to a payer', () => {
  const CASES: [Language, string, string, string[]][] = [
    ['en', 'http://localhost:8787/make/payment/', 'Español: ver y pagar esta factura', ['Pay this invoice online:']],
    ['es', '?lang=es', 'English: see and pay this invoice', ['Pagar esta factura en línea:']],
  ];
  it.each(CASES)(
    'uses the contact’s language (%s) for a pay link and offers the other',
    async (language, link, offer, phrases) => {
      const world = await makeWorld();
      const queuedMail = await queuedMailOf(world, language === 'es' ? 'es-mx' : 'en');
      const letter = assertLetter(
        payLinkMail({ ...queuedMail, link: { payId: world.payId, endsAt: world.clock.now } }, world.deps),
      );
      for (const phrase of phrases) expect(lines(letter)).toContain(phrase);
      expect(letter.text).toContain(link);
      expect(letter.text).toContain(`${offer}: http://localhost:8787/make/payment/${world.payId}?lang=`);
      expect(letter.html).toContain(`<html lang="${language === 'es' ? 'es-US' : 'en'}">`);
      expect(letter.html).toContain(`<p lang="${language === 'es' ? 'en' : 'es-US'}"`);
      expect(letter.text.match(/\{\w+\}/)).toBeNull();
    },
  );

  it.each([
    ['es', false],
    ['', true],
  ])(
    'begins with the line in the other language only if no language is known (contact: %j)',
    async (contact, isFirst) => {
      const world = await makeWorld();
      const queuedMail = await queuedMailOf(world, contact);
      const { language, isKnown } = await findPayerLanguage(world.deps.db, queuedMail);
      expect(isKnown).toBe(!isFirst);
      const link = { payId: world.payId, endsAt: world.clock.now };
      const { text, html } = assertLetter(payLinkMail({ ...queuedMail, language, isKnown, link }, world.deps));
      const otherLine = language === 'en' ? 'Español: ver y pagar' : 'English: see and pay';
      expect(text.startsWith(otherLine)).toBe(isFirst);
      expect(text.split(otherLine)).toHaveLength(2);
      expect(html.indexOf(otherLine) < html.indexOf(language === 'en' ? 'Amount due' : 'Monto a pagar')).toBe(isFirst);
    },
  );

  it('states the pay link’s last day by the clinic’s calendar', async () => {
    const world = await makeWorld();
    // 23:00 on Jul 1 in Indianapolis.
    const link = { payId: world.payId, endsAt: Date.UTC(2026, 6, 2, 3) };
    const { text } = assertLetter(payLinkMail({ ...(await queuedMailOf(world, 'en')), link }, world.deps));
    expect(text).toContain('The link works until Jul 1, 2026.');
  });

  it('states in a Spanish reminder when the bill was due and how to stop reminders', async () => {
    const world = await makeWorld();
    const queuedMail = await queuedMailOf(world, 'es');
    const letter = assertLetter(
      reminderMail(queuedMail, { day: '2027-03-01', payId: world.payId, stopToken: 'token' }, world.deps),
    );
    expect(letter.subject).toMatch(/^Un recordatorio de .+: factura INV-/);
    expect(letter.text).toMatch(
      /^Hola, .+:\n\nLa factura INV-\S+ (venció el \d+ \w+ \d{4}|está pendiente)\. ¿Ya pagó\?/,
    );
    expect(letter.text).toContain('No recibir más recordatorios de');
    expect(letter.headers?.['List-Unsubscribe']).toBe('<http://localhost:8787/mail/stop/token?lang=es>');
    expect(letter.text).toContain('English: see and pay this invoice');
  });

  it('uses the language of the payment page for a receipt when the CRM has none', async () => {
    const world = await makeWorld();
    await takePayment(world.deps, world.payId, paymentForm(), { clientIp: 'ip', language: 'es' });
    const letter = assertLetter(await composeReceiptMail(await queuedMailOf(world, ''), world.deps));
    expect(letter.subject).toMatch(/^Recibo de la factura INV-\S+ de Maple Street Dental$/);
    expect(letter.text).toContain('Forma de pago: Tarjeta');
    expect(letter.text).toMatch(/abra el recibo en http:\/\/localhost:8787\/receipt\/\S+\?lang=es o llame a/);
    const englishLetter = assertLetter(await composeReceiptMail(await queuedMailOf(world, 'en'), world.deps));
    expect(englishLetter.subject).toMatch(/^Receipt for invoice /);
    expect(englishLetter.text).toMatch(/Español: ver este recibo: http:\/\/localhost:8787\/receipt\/\S+\?lang=es/);
  });

  it('uses the language of the last attempt’s payment page when the CRM has none', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = declinedOutcome;
    const link = { payId: world.payId, endsAt: world.clock.now };
    const reminderOptions = { day: '2027-03-01', payId: world.payId, stopToken: 'token' };
    const mailLanguages = async (contact: string) => {
      const queuedMail = await queuedMailOf(world, contact);
      const paidInvoice = queuedMail.invoice && { ...queuedMail.invoice, status: 'paid' };
      return [
        payLinkMail({ ...queuedMail, link }, world.deps),
        reminderMail(queuedMail, reminderOptions, world.deps),
        crmReceiptMail({ ...queuedMail, invoice: paidInvoice } as PayerMail),
      ].map((letter) => /<html lang="([^"]+)"/.exec(assertLetter(letter).html)?.[1]);
    };
    expect(await mailLanguages('')).toEqual(['en', 'en', 'en']);
    await takePayment(world.deps, world.payId, paymentForm(), { clientIp: 'ip', language: 'es' });
    expect(await mailLanguages('')).toEqual(['es-US', 'es-US', 'es-US']);
    expect(await mailLanguages('en')).toEqual(['en', 'en', 'en']);
    world.clock.now += 60_000;
    await takePayment(world.deps, world.payId, paymentForm(), { clientIp: 'ip', language: 'en' });
    expect(await mailLanguages('')).toEqual(['en', 'en', 'en']);
  });

  it('uses the language of the same contact’s earlier invoice only', async () => {
    const world = await makeWorld();
    await takePayment(world.deps, world.payId, paymentForm(), { clientIp: 'ip', language: 'es' });
    const [storedInvoice] = await world.db.select().from(invoices).where(eq(invoices.accountId, world.accountId));
    if (!storedInvoice) throw new Error('no invoice');
    const { shownStatus: _s, shownBalanceCents: _b, idNumber: _i, listBalanceCents: _l, ...row } = storedInvoice;
    const lastVisitOfNew = async (invoiceId: string, contactId: string) => {
      await world.db.insert(invoices).values({ ...row, invoiceId, number: invoiceId, contactId });
      return findLastPayerLanguage(world.db, world.accountId, invoiceId);
    };
    expect(await lastVisitOfNew('9001', storedInvoice.contactId)).toBe('es');
    expect(await lastVisitOfNew('9002', '77')).toBeUndefined();
    expect(await lastVisitOfNew('9003', '')).toBeUndefined();
    expect(await findLastPayerLanguage(world.db, world.accountId + 1, world.invoiceId)).toBeUndefined();
  });

  it('reports a refund, void or return in Spanish', async () => {
    const world = await makeWorld();
    await takePayment(world.deps, world.payId, paymentForm(), { clientIp: 'ip' });
    await world.db.update(accounts).set({ payerLanguage: 'es' }).where(eq(accounts.accountId, world.accountId));
    const queuedMail = await queuedMailOf(world, '');
    const [paymentEntry] = queuedMail.entries;
    if (!paymentEntry) throw new Error('nothing was paid');
    const receiptAfter = async (kind: 'refund' | 'void' | 'return', cents: number) => {
      const reversalEntry = { ...paymentEntry, kind, amountCents: -cents, at: paymentEntry.at + 1 };
      return assertLetter(
        await composeReceiptMail({ ...queuedMail, entries: [paymentEntry, reversalEntry] }, world.deps),
      );
    };
    expect((await receiptAfter('refund', 5000)).subject).toMatch(/^Reembolso de la factura INV-/);
    expect((await receiptAfter('refund', 5000)).text).toMatch(
      /Estado: Reembolsado en parte\n(.|\n)*Reembolsado el \d+ \w+ \d{4} a .+: −\$50\.00/,
    );
    expect((await receiptAfter('void', paymentEntry.amountCents)).subject).toMatch(/^Pago anulado de la factura INV-/);
    expect((await receiptAfter('return', paymentEntry.amountCents)).text).toContain('Estado: Devuelto');
  });

  it('reports a payment recorded by the clinic in Spanish', async () => {
    const world = await makeWorld();
    const queuedMail = await queuedMailOf(world, 'es');
    const invoice = queuedMail.invoice && { ...queuedMail.invoice, status: 'paid' };
    const letter = assertLetter(crmReceiptMail({ ...queuedMail, invoice } as PayerMail));
    expect(letter.text).toContain('Pago: registrado por la clínica');
  });
});
