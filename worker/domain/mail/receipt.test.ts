import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { signature } from '#tests/support/content/png';
import { paymentForm } from '#tests/support/pay-form';
import { startRandom } from '#tests/support/random';
import {
  approvedOutcome,
  declinedOutcome,
  freshId,
  makeWorld,
  transaction,
  type World,
} from '#tests/support/unit/world';
import { ledger, paymentAttempts } from '#worker/data/schema/schema';
import { takePayment } from '#worker/domain/payments/take-payment';
import { UNREADABLE_FEE } from '#worker/vendors/gateway-port';
import { readReceipt, readReceiptSignature } from './receipt.ts';
import { receiptMail } from './receipt-mail.ts';

const pay = async (
  world: World,
  names: { firstName?: string; lastName?: string } = {},
  paymentType: 'card' | 'ach' = 'card',
) => {
  await takePayment(world.deps, world.payId, paymentForm({ paymentType, ...names }), {
    clientIp: `ip-${world.accountId}`,
  });
  const [attempt] = await world.attempts();
  if (!attempt) throw new Error('no attempt');
  return attempt;
};

/** Adds the ledger entry of a later refund, void or return. */
const addLedgerEntry = async (
  world: World,
  kind: 'refund' | 'void' | 'return',
  amountCents: number,
  delayMs = 86_400_000,
) => {
  const [attempt] = await world.attempts();
  if (!attempt) throw new Error('no attempt');
  const { accountId, invoiceId, id: attemptId, currency, channel, method, cardBrand: brand } = attempt;
  await world.db.insert(ledger).values({
    accountId,
    invoiceId,
    attemptId,
    currency,
    channel,
    method,
    brand,
    kind,
    amountCents,
    providerTxnId: `txn-${freshId()}`,
    at: world.clock.now + delayMs,
  });
};
const readOwnReceipt = async (world: World) => {
  const [attempt] = await world.attempts();
  const receipt = await readReceipt(world.deps, attempt?.receiptId ?? '');
  if (!receipt) throw new Error('no receipt');
  return receipt;
};
const mailOf = async (world: World) => receiptMail(await readOwnReceipt(world));
const toCents = (text: string | null) => Number((text ?? '').replace(/[^\d.−]/g, '').replace('−', '-')) * 100;

describe('a receipt', () => {
  it('shows business, amount, payment method and the time in the business’s time zone', async () => {
    const world = await makeWorld();
    world.clock.now = Date.UTC(2026, 2, 5, 3, 30);
    const attempt = await pay(world);
    expect(await readOwnReceipt(world)).toEqual({
      language: 'en',
      state: 'paid',
      business: 'Maple Street Dental',
      businessAddress: null,
      businessPhone: '317-555-0100',
      date: 'Mar 4, 2026, 10:30 PM',
      amountLabel: 'You paid',
      amount: '$184.00 USD',
      status: 'Paid',
      said: null,
      number: `INV-${world.invoiceId}`,
      billedTo: null,
      customer: 'Marta Núñez',
      paidByLabel: 'Billed to and paid by',
      part: null,
      method: 'Card',
      card: 'VISA •••• 1111',
      cardLabel: 'Card',
      authCode: 'TAS472',
      transactionId: `txn-${attempt.id}`,
      result: 'Approved',
      fee: null,
      feeNote: 'No fee was added.',
      questions: 'Questions? 317-555-0100',
      checkAddress: `http://localhost:8787/receipt/${attempt.receiptId}`,
      paidHow: 'Paid Mar 4, 2026, VISA •••• 1111',
      leftIs: 'Paid after refunds',
      left: null,
      refunds: [],
      hasSignature: true,
      lines: null,
    });
  });

  it('shows who was billed and who paid on the page and in the email, without an address', async () => {
    const world = await makeWorld();
    await pay(world, { firstName: 'Daniel', lastName: 'Whitfield' });
    const parties = { billedTo: 'Marta Núñez', customer: 'Daniel Whitfield', paidByLabel: 'Paid by' };
    expect(await readOwnReceipt(world)).toMatchObject(parties);
    const { text, html } = await mailOf(world);
    expect(text).toMatch(/^Billed to: Marta Núñez\nPaid by: Daniel Whitfield$/m);
    expect(html).toMatch(/Billed to<[\s\S]*>Marta Núñez<[\s\S]*>Paid by<[\s\S]*>Daniel Whitfield</);
    for (const content of [text, html, JSON.stringify(await readOwnReceipt(world))])
      expect(content).not.toMatch(/1 Elm St|46032/);
    const [attempt] = await world.attempts();
    const inSpanish = await readReceipt(world.deps, attempt?.receiptId ?? '', () => 'es');
    expect(inSpanish && receiptMail(inSpanish).text).toMatch(
      /^Facturado a: Marta Núñez\nPagado por: Daniel Whitfield$/m,
    );
  });

  it('shows a fee only when the provider reports one', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = (request) => ({
      kind: 'approved',
      txn: transaction(request, { feeCents: 350 }),
      exchangeId: '',
    });
    await pay(world);
    expect(await readOwnReceipt(world)).toMatchObject({ fee: '$3.50 USD', feeNote: null });
    expect((await mailOf(world)).text).not.toContain('No fee was added.');
    expect((await mailOf(world)).text).toContain('Fee reported by the provider: $3.50 USD');
    expect((await readOwnReceipt(world)).amount).toBe('$184.00 USD');
  });

  it.each([
    ['en', 'The card provider reported a fee that could not be read.'],
    ['es', 'El proveedor de tarjetas informó una comisión que no se pudo leer.'],
  ] as const)('never counts an unreadable fee as none (%s)', async (language, note) => {
    const world = await makeWorld();
    world.gateway.script.charge = (request) => ({
      kind: 'approved',
      txn: transaction(request, { feeCents: UNREADABLE_FEE }),
      exchangeId: '',
    });
    await pay(world);
    const [attempt] = await world.attempts();
    const receipt = await readReceipt(world.deps, attempt?.receiptId ?? '', () => language);
    expect(receipt).toMatchObject({ fee: null, feeNote: expect.stringContaining(note) });
    expect(receipt && receiptMail(receipt).text).toContain(note);
  });

  it('omits the invoice number from the subject and the rows if the invoice has none', async () => {
    const world = await makeWorld();
    await pay(world);
    await world.db.update(paymentAttempts).set({ invoiceNumber: ' ' });
    expect(await readOwnReceipt(world)).toMatchObject({ number: null });
    const { subject, text } = await mailOf(world);
    expect(subject).toBe('Receipt from Maple Street Dental');
    expect(text).not.toMatch(/^Invoice:/m);
  });

  it('subtracts refunds until nothing is left', async () => {
    const world = await makeWorld();
    await pay(world);
    await addLedgerEntry(world, 'refund', -5000);
    expect(await readOwnReceipt(world)).toMatchObject({
      status: 'Partly refunded',
      amount: '$184.00 USD',
      said: '$50.00 was refunded on Mar 5, 2026. You paid $134.00 in total.',
      left: '$134.00 USD',
      refunds: [{ what: 'Refunded Mar 5, 2026 to VISA •••• 1111', detail: 'allow 3 to 5 days', amount: '−$50.00 USD' }],
    });
    const partialRefundMail = await mailOf(world);
    expect(partialRefundMail.text).toContain('\n$50.00 was refunded on Mar 5, 2026. You paid $134.00 in total.\n');
    expect(partialRefundMail.text).toContain('Refunded Mar 5, 2026 to VISA •••• 1111: −$50.00 USD, allow 3 to 5 days');
    expect(partialRefundMail.html).toContain('$50.00 was refunded on Mar 5, 2026.');
    world.clock.now += 6 * 86_400_000;
    expect((await readOwnReceipt(world)).refunds).toMatchObject([{ detail: '' }]);
    world.clock.now -= 6 * 86_400_000;
    await addLedgerEntry(world, 'refund', -13_400, 2 * 86_400_000);
    expect(await readOwnReceipt(world)).toMatchObject({
      status: 'Refunded',
      said: 'All of it was refunded, the last of it on Mar 6, 2026.',
      left: '$0.00 USD',
    });
    const mail = await mailOf(world);
    expect(mail.subject).toBe(`Refund for invoice INV-${world.invoiceId}`);
    expect(mail.text).toMatch(
      /Refunded Mar 5, 2026 .+: −\$50\.00 USD, .+\nRefunded Mar 6, 2026 .+: −\$134\.00 USD, .+\nPaid after refunds: \$0\.00 USD/,
    );
  });

  it('labels voided and returned payments as such', async () => {
    const voidedWorld = await makeWorld();
    await pay(voidedWorld);
    await addLedgerEntry(voidedWorld, 'void', -18_400);
    expect(await readOwnReceipt(voidedWorld)).toMatchObject({
      status: 'Voided',
      amountLabel: 'Amount',
      said: 'This payment was cancelled before it left your bank. You were not charged.',
      refunds: [{ what: 'Cancelled Mar 5, 2026', detail: '', amount: '−$184.00 USD' }],
      leftIs: 'Charged',
      left: '$0.00 USD',
    });
    const mail = await mailOf(voidedWorld);
    expect(mail.subject).toBe(`Voided payment for invoice INV-${voidedWorld.invoiceId}`);
    expect(mail.text).toContain('Cancelled Mar 5, 2026: −$184.00 USD\nCharged: $0.00 USD');
    expect(mail.text + mail.html).not.toMatch(/refund/i);
    const returnedWorld = await makeWorld();
    await pay(returnedWorld);
    await addLedgerEntry(returnedWorld, 'return', -18_400);
    expect(await readOwnReceipt(returnedWorld)).toMatchObject({
      status: 'Returned',
      amountLabel: 'Amount',
      said: 'Your bank returned this payment, so it did not pay the invoice.',
      refunds: [{ what: 'Returned Mar 5, 2026' }],
      leftIs: 'Paid',
      left: '$0.00 USD',
    });
    expect((await mailOf(returnedWorld)).text).not.toMatch(/refund/i);
  });

  it('has the status “Payment submitted” for a bank payment that has not settled', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = (request) => ({
      kind: 'pending',
      txn: transaction(request, { state: 'pending', result: 'PENDING', brand: 'ACH', authCode: '' }),
      exchangeId: '',
    });
    await pay(world, {}, 'ach');
    expect(await readOwnReceipt(world)).toMatchObject({
      status: 'Payment submitted',
      method: 'Bank account',
      card: 'ACH •••• 1111',
      authCode: null,
      amountLabel: 'Amount',
      amount: '$184.00 USD',
      paidHow: 'Submitted Mar 4, 2026, ACH •••• 1111',
      cardLabel: 'Bank account',
    });
  });

  it('claims neither an approval nor a payment for a bank payment that has not settled', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = (request) => ({
      kind: 'pending',
      txn: transaction(request, { state: 'pending', result: 'APPROVED', brand: '', authCode: '' }),
      exchangeId: '',
    });
    await pay(world, {}, 'ach');
    expect(await readOwnReceipt(world)).toMatchObject({ result: null, paidByLabel: 'Billed to and submitted by' });
    const { text, html } = await mailOf(world);
    expect(text).toMatch(/^Bank account: •••• 1111$/m);
    expect(text + html).not.toMatch(/^Card: |Result|approved|paid by/im);
    const [attempt] = await world.attempts();
    await world.db.update(paymentAttempts).set({ payerFirstName: 'Daniel' });
    const spanishReceipt = await readReceipt(world.deps, attempt?.receiptId ?? '', () => 'es');
    expect(spanishReceipt).toMatchObject({ cardLabel: 'Cuenta bancaria', paidByLabel: 'Enviado por' });
  });

  it.each([
    ['approved', 'Approved', 'Aprobado'],
    ['UNHEARD OF', 'UNHEARD OF', 'UNHEARD OF'],
  ])('translates a known result and shows an unknown one as it is: %s', async (result, en, es) => {
    const world = await makeWorld();
    const { id, receiptId } = await pay(world);
    await world.db.update(paymentAttempts).set({ result }).where(eq(paymentAttempts.id, id));
    const resultIn = async (language: 'en' | 'es') =>
      (await readReceipt(world.deps, receiptId, () => language))?.result;
    expect([await resultIn('en'), await resultIn('es')]).toEqual([en, es]);
  });

  it.each([
    ['keeps the receipt of a submitted payment', 'pending', 'Payment submitted'],
    ['has no receipt for a payment with unknown outcome', 'unknown', undefined],
  ] as const)(
    'shows a bank payment in manual review only if it was submitted: %s',
    async (_title, needsHumanFrom, status) => {
      const world = await makeWorld();
      world.gateway.script.charge = (request) => ({
        kind: 'pending',
        txn: transaction(request, { state: 'pending', result: 'PENDING', brand: 'ACH', authCode: '' }),
        exchangeId: '',
      });
      const { id, receiptId } = await pay(world, {}, 'ach');
      const submitted = await readReceipt(world.deps, receiptId);
      await world.db
        .update(paymentAttempts)
        .set({ state: 'needs_human', needsHumanFrom })
        .where(eq(paymentAttempts.id, id));
      const receipt = await readReceipt(world.deps, receiptId);
      expect(receipt?.status).toBe(status);
      expect(receipt).toEqual(status ? submitted : null);
    },
  );

  it('never says “paid” for a bank payment that was returned before it settled', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = (request) => ({
      kind: 'pending',
      txn: transaction(request, { state: 'pending', result: 'PENDING', brand: 'ACH', authCode: '' }),
      exchangeId: '',
    });
    const { id } = await pay(world, {}, 'ach');
    await world.db.update(paymentAttempts).set({ state: 'returned' }).where(eq(paymentAttempts.id, id));
    const receipt = await readOwnReceipt(world);
    expect(receipt).toMatchObject({
      status: 'Returned',
      said: 'Your bank returned this payment, so it did not pay the invoice.',
      paidHow: 'Submitted Mar 4, 2026, ACH •••• 1111',
    });
    expect(receiptMail(receipt).text).not.toMatch(/paid (Mar|on)/i);
  });

  it('does not exist for a failed payment, nor does its signature', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = declinedOutcome;
    const attempt = await pay(world);
    expect(await readReceipt(world.deps, attempt.receiptId)).toBeNull();
    expect(await readReceiptSignature(world.deps, attempt.receiptId)).toBeNull();
    expect(await readReceipt(world.deps, 'nothing')).toBeNull();
    expect(await readReceiptSignature(world.deps, 'nothing')).toBeNull();
  });

  it('opens only by its full receipt id and shows the payer’s signature', async () => {
    const world = await makeWorld();
    const attempt = await pay(world);
    expect(attempt.receiptId).toMatch(/^1-[\w-]{27}-[\w-]{16}$/);
    for (const id of [attempt.id, world.payId, attempt.receiptId.toLowerCase(), attempt.receiptId.slice(0, -1)]) {
      expect(await readReceipt(world.deps, id)).toBeNull();
    }
    const signatureBytes = await new Response(await readReceiptSignature(world.deps, attempt.receiptId)).arrayBuffer();
    expect(btoa(String.fromCharCode(...new Uint8Array(signatureBytes)))).toBe(signature().split(',')[1]);
    await env.MEDIA.delete(attempt.signatureKey ?? '');
    expect(await readReceiptSignature(world.deps, attempt.receiptId)).toBeNull();
  });

  it('adds up to the ledger for any payment and any refunds', async () => {
    const { seed, random } = startRandom();
    for (let round = 0; round < 12; round++) {
      const world = await makeWorld();
      const balanceCents = 1 + random.below(5_000_000);
      if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, balanceCents };
      world.gateway.script.charge = approvedOutcome;
      await pay(world);
      let remainingCents = balanceCents;
      for (let n = random.below(4); n > 0 && remainingCents > 1; n--) {
        const refundCents = 1 + random.below(remainingCents - 1);
        remainingCents -= refundCents;
        await addLedgerEntry(world, 'refund', -refundCents, n * 3_600_000);
      }
      const entries = await world.ledger();
      const receipt = await readOwnReceipt(world);
      const sum = entries.reduce((total, { amountCents }) => total + amountCents, 0);
      const leftCents = Math.round(toCents(receipt.left ?? receipt.amount));
      const refunded = receipt.refunds.reduce((total, { amount }) => total + Math.round(toCents(amount)), 0);
      expect(leftCents, `seed ${seed}`).toBe(sum);
      expect(Math.round(toCents(receipt.amount)) + refunded, `seed ${seed}`).toBe(sum);
      expect(sum, `seed ${seed}`).toBe(remainingCents);
      expect((await mailOf(world)).html).toContain(receipt.amount);
    }
  });
});

describe('a receipt email', () => {
  it('keeps the subject and each field on one line, regardless of the characters in names', async () => {
    const world = await makeWorld();
    if (world.crm.invoice) world.crm.invoice = { ...world.crm.invoice, number: 'A\r\nBcc: all@example.com\u2028x' };
    await pay(world, { firstName: 'Eve\r\nYou paid: $0.01', lastName: '<b>\0</b>' });
    await env.DB.prepare('UPDATE accounts SET name = ?').bind('Clinic\nSubject: you won').run();
    const mail = await mailOf(world);
    expect(mail.subject).toBe('Receipt for invoice A Bcc: all@example.com x from Clinic Subject: you won');
    expect(mail.text).not.toMatch(/^(Bcc|Subject|You paid: \$0)/m);
    expect(mail.text.match(/^You paid: /gm)).toHaveLength(1);
    expect(mail.html).not.toContain('<b>');
    expect(mail.html).toContain('&lt;b&gt;');
  });

  it('shows no line item, and only the last four digits of the card', async () => {
    const world = await makeWorld();
    await pay(world);
    const { text, html } = await mailOf(world);
    expect(text + html).not.toMatch(/XXXX|\d{12,}1111|Consultation/);
    expect(text).toContain('Card: VISA •••• 1111');
  });
});
