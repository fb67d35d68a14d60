import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { TakePaymentBody } from '#shared/contracts/payments/payment-request';
import { paymentForm } from '#tests/support/pay-form';
import {
  approvedOutcome,
  declinedOutcome,
  freshId,
  lostOutcome,
  makeWorld,
  transaction,
  type World,
} from '#tests/support/unit/world';
import { NoSuchClinic } from '#worker/clinic/no-such-clinic';
import { openDb } from '#worker/data/db';
import { paymentAttempts, terminals } from '#worker/data/schema/schema';
import { handleTransactionWebhook } from '#worker/domain/reconciliation/handle-transaction-webhook';
import { CrmError } from '#worker/vendors/hubspot/port';
import { runSchedule } from '../run-schedule.ts';
import { takePayment } from './take-payment.ts';

const failWrite = () => Promise.reject(new Error('D1_ERROR: Network connection lost'));

const pay = (
  world: World,
  overrides: Partial<TakePaymentBody> = {},
  clientIp: string | null = `ip-${world.accountId}`,
) => takePayment(world.deps, world.payId, paymentForm(overrides), { clientIp });

const rejectedOutcome = (reason: 'token' | 'credentials' | 'validation') => ({
  kind: 'rejected' as const,
  reason,
  message: 'Not so',
  providerCode: '9',
});

describe('the gateway’s answer', () => {
  it.each([
    ['token', { kind: 'token-refused' }],
    ['credentials', { kind: 'gateway-unavailable' }],
    ['validation', { kind: 'refused', message: 'Not so' }],
  ] as const)('is reported to the payer when it rejects the %s', async (reason, expected) => {
    const world = await makeWorld();
    world.gateway.script.charge = () => rejectedOutcome(reason);
    expect(await pay(world)).toEqual(expected);
  });

  it('does not hide a payment booked in the meantime if it is a rejection', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = async ({ attemptId }) => {
      await world.db.update(paymentAttempts).set({ state: 'approved' }).where(eq(paymentAttempts.id, attemptId));
      return rejectedOutcome('validation');
    };
    expect((await pay(world)).kind).toBe('approved');
  });

  it.each([
    ['declines', declinedOutcome, 1],
    ['approves', approvedOutcome, 0],
  ] as const)(
    'adds to the declines of all clinics only if it is a decline: it %s a card',
    async (_title, charge, count) => {
      const world = await makeWorld();
      world.gateway.script.charge = charge;
      await pay(world);
      expect(await env.INSTALLATION.prepare('SELECT count(*) AS n FROM declines').first('n')).toBe(count);
    },
  );

  it.each([
    ['approves', approvedOutcome, null],
    ['declines', declinedOutcome, 5],
  ] as const)(
    'clears the refusal of a terminal only if it is an approval: it %s a card',
    async (_title, charge, expected) => {
      const world = await makeWorld();
      await world.db.update(terminals).set({ refusedAt: 5 });
      world.gateway.script.charge = charge;
      await pay(world);
      expect((await world.db.select().from(terminals))[0]?.refusedAt).toBe(expected);
    },
  );
});

describe('a payment before it is sent', () => {
  it('is refused while payments are paused', async () => {
    const world = await makeWorld();
    const { reads } = world.crm;
    world.deps.payments.recordChange(true);
    expect(await pay(world)).toEqual({ kind: 'paused' });
    expect(world.crm.reads).toBe(reads);
  });

  it.each([
    ['a bank has begun to pay its invoice', "UPDATE invoices SET local_status = 'submitted'", 'pending'],
    ['its invoice was paid', "UPDATE invoices SET local_status = 'paid'", 'already-paid'],
    ['its link was revoked', "UPDATE pay_links SET state = 'revoked'", 'link-ended'],
    [
      'its form was refused',
      "INSERT INTO refused_keys SELECT account_id, invoice_id, 'form-12345', 1 FROM invoices",
      'token-refused',
    ],
    ['its collection has changed', 'UPDATE invoices SET collection = 2', 'too-many'],
  ])('loses its claim when %s during the CRM read', async (_title, change, kind) => {
    const world = await makeWorld();
    const { getInvoice } = world.deps.crm;
    world.deps.crm.getInvoice = async (...args) => {
      await env.DB.prepare(change).run();
      return getInvoice(...args);
    };
    expect((await pay(world, { attemptId: 'form-12345' })).kind).toBe(kind);
    expect(world.gateway.charges).toEqual([]);
  });

  it('requires an address from the payer when none is on file', async () => {
    const world = await makeWorld();
    expect((await pay(world, { addressOnFile: true })).kind).toBe('address-missing');
    expect(world.gateway.charges).toEqual([]);
  });

  it('is refused without a CRM read after too many declines on its link', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = declinedOutcome;
    for (let n = 0; n < 5; n++) await pay(world, {}, `10.0.0.${n}`);
    const { reads } = world.crm;
    expect((await pay(world)).kind).toBe('too-many');
    expect(world.crm.reads).toBe(reads);
  });

  it.each([
    ['its customer', { firstName: 'Ana', lastName: 'Ode', email: '' }, 'Ana Ode'],
    ['its company', { firstName: '', lastName: '', email: '' }, 'Núñez Studio LLC'],
  ])('is billed to %s', async (_title, contact, billedTo) => {
    const world = await makeWorld();
    world.crm.invoice = world.crm.invoice && { ...world.crm.invoice, contact };
    await pay(world);
    expect((await world.attempts())[0]).toMatchObject({ billedTo, billLines: '', payId: world.payId });
  });

  it('is claimed again when the blocking attempt has ended in the meantime', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    await pay(world);
    const [first] = await world.attempts();
    const [request] = world.gateway.charges;
    if (!first || !request) throw new Error('nothing was sent');
    await world.db.update(paymentAttempts).set({ state: 'declined' });
    world.gateway.script.find = () => [transaction(request, { state: 'declined' })];
    const { getInvoice } = world.deps.crm;
    world.deps.crm.getInvoice = async (...args) => {
      await env.DB.prepare('DELETE FROM payment_attempts').run();
      await world.db.insert(paymentAttempts).values({ ...first, state: 'unknown' });
      return getInvoice(...args);
    };
    world.gateway.script.charge = approvedOutcome;
    expect((await pay(world)).kind).toBe('approved');
    expect(world.gateway.charges).toHaveLength(2);
  });
});

describe('a payment', () => {
  it('is charged once with the CRM amount, is booked once and queues one receipt', async () => {
    const world = await makeWorld();
    const outcome = await pay(world, { amountShown: '184.00' });
    expect(outcome.kind).toBe('approved');
    expect(world.gateway.charges).toHaveLength(1);
    expect(world.gateway.charges[0]).toMatchObject({ amountCents: 18_400, dedupeKey: `${world.invoiceId}-1` });
    expect(await world.ledger()).toMatchObject([
      { amountCents: 18_400, kind: 'payment', channel: 'link', brand: 'VISA' },
    ]);
    expect((await world.invoiceRow())?.localStatus).toBe('paid');
    const [attempt] = await world.attempts();
    expect((await env.MEDIA.head(attempt?.signatureKey ?? ''))?.httpMetadata?.contentType).toBe('image/png');
    await runSchedule(world.deps);
    await runSchedule(world.deps);
    expect(world.mails).toHaveLength(1);
    expect(world.mails[0]?.text).toContain('$184.00 USD');
  });

  it('returns not-found and raises no alert when the clinic is erased right before the claim', async () => {
    const world = await makeWorld();
    const batch = () => Promise.reject(new NoSuchClinic());
    const { $client } = world.deps.db;
    world.deps.db = openDb({ prepare: (sql: string) => $client.prepare(sql), batch } as unknown as D1Database);
    expect(await pay(world)).toEqual({ kind: 'not-found' });
    expect(world.gateway.charges).toEqual([]);
    expect(world.logs.filter((line) => line.startsWith('ALERT'))).toEqual([]);
  });

  it.each([
    ['arrives', approvedOutcome],
    ['is lost', () => lostOutcome],
  ])('is read from its row when a webhook was faster than the reply, which %s', async (_title, reply) => {
    const world = await makeWorld();
    world.gateway.script.charge = async (request) => {
      const txn = transaction(request, { createdAt: world.clock.now });
      world.gateway.script.find = () => [txn];
      const { attemptId, terminal } = request;
      const event = { method: 'card', providerTxnId: txn.id, attemptId, merchantNumber: '' } as const;
      await handleTransactionWebhook(world.deps, { ...event, terminalId: terminal.terminalId });
      return reply(request);
    };
    expect(await pay(world)).toMatchObject({ kind: 'approved', attempt: { cardLastFour: '1111' } });
    expect(await world.ledger()).toHaveLength(1);
    await runSchedule(world.deps);
    expect(world.mails).toHaveLength(1);
  });

  it('reaches the gateway once when it is submitted 25 times at once', async () => {
    const world = await makeWorld();
    const pause = Promise.withResolvers<void>();
    world.gateway.script.charge = async (request) => {
      await pause.promise;
      return approvedOutcome(request);
    };
    let answerCount = 0;
    const submits = Array.from({ length: 25 }, async (_, n) => {
      const { kind } = await pay(world, {}, `10.0.0.${n}`);
      answerCount += 1;
      return kind;
    });
    // The gateway answers only after all other submissions have been answered.
    await expect.poll(() => answerCount).toBe(24);
    pause.resolve();
    const kinds = await Promise.all(submits);
    expect(kinds.sort()).toEqual(['approved', ...Array.from({ length: 24 }, () => 'pending')]);
    expect(world.gateway.charges).toHaveLength(1);
    expect((await pay(world, {}, '10.0.0.99')).kind).toBe('already-paid');
  });

  it('returns the same outcome for the same token without a second charge', async () => {
    const world = await makeWorld();
    const token = `jwt-${freshId()}`;
    const first = await pay(world, { paymentDetails: token });
    const second = await pay(world, { paymentDetails: token });
    expect([first.kind, second.kind]).toEqual(['approved', 'approved']);
    expect(world.gateway.charges).toHaveLength(1);
  });

  it('returns the first outcome for the same attempt key, even with another token', async () => {
    const world = await makeWorld();
    await pay(world, { attemptId: 'form-12345' });
    expect((await pay(world, { attemptId: 'form-12345' })).kind).toBe('approved');
    expect((await pay(world)).kind).toBe('already-paid');
    expect(world.gateway.charges).toHaveLength(1);
  });

  it('rejects a token that was used on another invoice', async () => {
    const [first, other] = [await makeWorld(), await makeWorld()];
    const token = `jwt-${freshId()}`;
    await pay(first, { paymentDetails: token });
    expect((await pay(other, { paymentDetails: token })).kind).toBe('token-refused');
    expect(other.gateway.charges).toHaveLength(0);
  });

  it('leaves the invoice payable with another card after a decline', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = declinedOutcome;
    expect((await pay(world, { attemptId: 'form-12345' })).kind).toBe('declined');
    expect(await world.ledger()).toEqual([]);
    world.gateway.script.charge = approvedOutcome;
    // The page uses a new key, since the first one ended with the decline.
    expect((await pay(world, { attemptId: 'form-67890' })).kind).toBe('approved');
  });

  it('closes the invoice after a lost answer until the gateway knows the outcome', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    expect((await pay(world)).kind).toBe('pending');
    world.gateway.script.find = () => 'unavailable';
    expect((await pay(world)).kind).toBe('pending');
    expect(world.gateway.charges).toHaveLength(1);
    const [request] = world.gateway.charges;
    if (!request) throw new Error('no charge');
    world.gateway.script.find = () => [transaction(request)];
    world.clock.now += 600_000;
    await runSchedule(world.deps);
    expect((await world.attempts())[0]?.state).toBe('approved');
    expect(await world.ledger()).toHaveLength(1);
    expect(world.mails).toHaveLength(1);
  });

  it('is released only after the hold and three empty lookups if it never reached the gateway', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    await pay(world);
    for (let minute = 0; minute < 14; minute++) {
      world.clock.now += 60_000;
      await runSchedule(world.deps);
      expect((await world.attempts())[0]?.state).toBe('unknown');
    }
    world.clock.now += 120_000;
    await runSchedule(world.deps);
    expect((await world.attempts())[0]?.state).toBe('not_charged');
    world.gateway.script.charge = approvedOutcome;
    expect((await pay(world)).kind).toBe('approved');
  });

  it('is not released while the gateway does not answer, however long that lasts', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    world.gateway.script.find = () => 'unavailable';
    await pay(world);
    for (let hour = 0; hour < 5; hour++) {
      world.clock.now += 3_600_000;
      await runSchedule(world.deps);
    }
    expect((await world.attempts())[0]?.state).toBe('unknown');
  });

  it('goes to manual review when its charge appears after its release', async () => {
    const world = await makeWorld();
    world.gateway.script.charge = () => lostOutcome;
    await pay(world);
    for (let step = 0; step < 12; step++) {
      world.clock.now += 300_000;
      await runSchedule(world.deps);
    }
    expect((await world.attempts())[0]?.state).toBe('not_charged');
    const [request] = world.gateway.charges;
    if (!request) throw new Error('no charge');
    world.gateway.script.find = () => [transaction(request)];
    world.clock.now += 25 * 3_600_000;
    await runSchedule(world.deps);
    expect((await world.attempts())[0]?.state).toBe('needs_human');
    expect(world.logs).toContain('ALERT payment-needs-a-person');
  });

  it('goes to manual review when it is found with another amount or twice', async () => {
    for (const transactionsOf of [
      (request: Parameters<typeof transaction>[0]) => [transaction(request, { amountCents: 1 })],
      (request: Parameters<typeof transaction>[0]) => [transaction(request), transaction(request, { id: 'twin' })],
    ]) {
      const world = await makeWorld();
      world.gateway.script.charge = () => lostOutcome;
      await pay(world);
      const [request] = world.gateway.charges;
      if (!request) throw new Error('no charge');
      world.gateway.script.find = () => transactionsOf(request);
      world.clock.now += 60_000;
      await runSchedule(world.deps);
      expect((await world.attempts())[0]?.state).toBe('needs_human');
      expect(await world.ledger()).toEqual([]);
    }
  });
});

describe('a payment that cannot start', () => {
  const expectNoCharge = async (world: World, outcome: Promise<{ kind: string }>, kind: string) => {
    expect((await outcome).kind).toBe(kind);
    expect(world.gateway.charges).toHaveLength(0);
    expect(await world.attempts()).toEqual([]);
  };

  it.each([
    ['paid in the CRM', { status: 'paid' }, 'already-paid'],
    ['a draft', { status: 'draft' }, 'not-payable-online'],
    ['voided', { status: 'voided' }, 'not-payable-online'],
    ['in another currency', { currency: 'EUR' }, 'not-payable-online'],
    ['for zero', { balanceCents: 0 }, 'nothing-to-pay'],
    ['for less than zero', { balanceCents: -100 }, 'nothing-to-pay'],
    ['without a readable balance', { balanceCents: null }, 'amount-unreadable'],
    ['over the maximum', { balanceCents: 5_000_001 }, 'not-payable-online'],
  ])('charges nothing for an invoice that is %s', async (_title, change, kind) => {
    const world = await makeWorld();
    if (world.crm.invoice) Object.assign(world.crm.invoice, change);
    await expectNoCharge(world, pay(world), kind);
  });

  it('charges nothing when the page showed another amount', async () => {
    const world = await makeWorld();
    await expectNoCharge(world, pay(world, { amountShown: '183.99' }), 'amount-changed');
  });

  it('charges nothing while the CRM is down', async () => {
    const world = await makeWorld();
    world.deps.crm.getInvoice = () => Promise.reject(new CrmError('unavailable', 'down'));
    await expectNoCharge(world, pay(world), 'crm-unavailable');
  });

  it('charges nothing through an ended or unknown link', async () => {
    const world = await makeWorld();
    await expectNoCharge(world, takePayment(world.deps, 'nowhere', paymentForm(), { clientIp: null }), 'not-found');
    world.clock.now += 60 * 86_400_000;
    await expectNoCharge(world, pay(world), 'link-ended');
  });

  it('charges nothing without a real signature', async () => {
    const world = await makeWorld();
    await expectNoCharge(world, pay(world, { signature: 'data:image/png;base64,AAAA' }), 'bad-signature');
  });

  it('charges nothing when D1 cannot read the link, and lets the payer try again at once', async () => {
    const world = await makeWorld();
    const { db, log } = world.deps;
    const alertFields: unknown[] = [];
    const alert: typeof log.alert = (event, fields) => {
      alertFields.push(fields);
      log.alert(event, fields);
    };
    world.deps.log = { ...log, alert };
    world.deps.db = openDb({
      prepare: (sql: string) => env.DB.prepare(sql),
      batch: failWrite,
    } as unknown as D1Database);
    await expectNoCharge(world, pay(world), 'not-started');
    expect(world.logs).toContain('ALERT payment-not-started');
    expect(alertFields).toMatchObject([{ clinic: world.deps.clinic, cause: expect.stringContaining('D1_ERROR') }]);
    world.deps.db = db;
    expect((await pay(world)).kind).toBe('approved');
  });

  it('charges nothing when D1 fails between the read and the claim', async () => {
    const world = await makeWorld();
    world.deps.crm.getInvoice = failWrite;
    await expectNoCharge(world, pay(world), 'not-started');
  });

  it('charges nothing when D1 fails at the claim, and lets the payer try again at once', async () => {
    const world = await makeWorld();
    world.deps.db = failAtClaim(world.deps.db, failWrite);
    await expectNoCharge(world, pay(world), 'not-started');
    expect((await pay(world)).kind).toBe('approved');
  });
});

describe('a claim whose reply was lost', () => {
  it('stays pending while it cannot be released, and ends as not charged', async () => {
    const world = await makeWorld();
    const { db } = world.deps;
    world.deps.db = disconnectAfterClaim(db);
    expect(await pay(world)).toEqual({ kind: 'pending' });
    expect(await world.attempts()).toMatchObject([{ state: 'sent' }]);
    world.deps.db = db;
    expect((await pay(world)).kind).toBe('pending');
    for (let minute = 0; minute < 20; minute++) {
      world.clock.now += 60_000;
      await runSchedule(world.deps);
    }
    expect(await world.attempts()).toMatchObject([{ state: 'not_charged' }]);
    expect(world.gateway.charges).toEqual([]);
  });
});

/** The same database, in which `handleClaim` handles the first batch with a claim. */
function failAtClaim({ $client }: World['db'], handleClaim: (carryOut: () => Promise<unknown>) => Promise<never>) {
  let claims = 0;
  let isClaimNext = false;
  return openDb({
    prepare: (sql: string) => {
      if (/^insert into "payment_attempts"/.test(sql)) isClaimNext = ++claims === 1;
      return $client.prepare(sql);
    },
    batch: (statements: D1PreparedStatement[]) => {
      const runBatch = () => $client.batch(statements);
      if (!isClaimNext) return runBatch();
      isClaimNext = false;
      return handleClaim(runBatch);
    },
  } as unknown as D1Database);
}

/** A database that carries out the claim and then no longer answers. */
function disconnectAfterClaim(db: World['db']): World['db'] {
  let isGone = false;
  const { $client } = failAtClaim(db, async (runBatch) => {
    await runBatch();
    isGone = true;
    return failWrite();
  });
  return openDb({
    prepare: (sql: string) => $client.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => (isGone ? failWrite() : $client.batch(statements)),
  } as unknown as D1Database);
}
