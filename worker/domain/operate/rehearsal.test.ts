import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { type ClinicWorld, clinicWorld, exportAll, restoreExport, useObjects } from '#tests/support/operate-world';
import { paymentForm } from '#tests/support/pay-form';
import { lostOutcome, transaction } from '#tests/support/unit/world';
import { listDueMail } from '#worker/data/mail/outbox';
import { crmSyncs, ledger, paymentAttempts, users } from '#worker/data/schema/schema';
import type { Deps } from '#worker/deps';
import { sendMail } from '#worker/domain/mail/send';
import { connectAccount } from '#worker/domain/merchants/connect';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';
import { takePayment } from '#worker/domain/payments/take-payment';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import { reconcileAccounts } from '#worker/domain/reconciliation/run';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';

useObjects();

const MINUTE = 60_000;
const EARLY = 10;
const LOST = env.COMPLETE ? 200 : 60;
/** The number of payers who submit a second time. */
const RETRIES = 25;
const PERSON = 77;

/** Makes the gateway record its transactions and lose every tenth response to a charge. */
function recordTransactions(world: ClinicWorld): GatewayTransaction[] {
  const recorded: GatewayTransaction[] = [];
  const { gateway } = world.installation;
  gateway.charge = async (request) => {
    world.clock.now += 1000;
    const txn = transaction(request, { id: `txn-${recorded.length}`, createdAt: world.clock.now });
    recorded.push(txn);
    return recorded.length % 10 === 0 ? lostOutcome : { kind: 'approved', txn, exchangeId: 'x' };
  };
  gateway.find = async (_terminal, _method, searchKey) =>
    recorded.filter((txn) => ('attemptId' in searchKey ? txn.attemptId === searchKey.attemptId : false));
  gateway.listTransactions = async (_terminal, method, { from, to }, page) => {
    const matching = recorded.filter(
      ({ createdAt }) => method === 'card' && (createdAt ?? 0) >= from && (createdAt ?? 0) <= to,
    );
    return { transactions: matching.slice((page - 1) * 100, page * 100), isLast: matching.length <= page * 100 };
  };
  return recorded;
}

describe('a clinic whose object was lost', () => {
  it('is restored from its export with no later payment missing or doubled, and no email repeated', async () => {
    const world = await clinicWorld();
    const { accountId, clock, crm, mails } = world;
    const recorded = recordTransactions(world);
    await world.clinicDeps.db
      .insert(users)
      .values({ accountId, userId: PERSON, email: 'ana@maple.example', role: 'admin', lastLoginAt: 0 });
    const first = Number(world.invoiceId) + 50_000;
    const bills = Array.from({ length: EARLY + LOST }, (_, index) => String(first + index));
    const unpaid = String(first + 1000);

    const show = (id: string) => {
      const email = `${id}@payer.example`;
      if (crm.invoice) crm.invoice = { ...crm.invoice, id, number: `INV-${id}` };
      if (crm.invoice?.contact) crm.invoice.contact = { ...crm.invoice.contact, email };
    };
    const payOne = async (clinicDeps: Deps, id: string): Promise<string> => {
      show(id);
      const link = await issuePayLink(clinicDeps, accountId, id);
      if (!link) return 'no link';
      return (await takePayment(clinicDeps, link.payId, paymentForm(), { clientIp: null })).kind;
    };
    const payAll = async (clinicDeps: Deps, ids: string[]): Promise<string[]> => {
      const kinds: string[] = [];
      for (const id of ids) kinds.push(await payOne(clinicDeps, id));
      return [...new Set(kinds)].sort();
    };
    const sendMails = async (clinicDeps: Deps) => {
      for (let due = await listDueMail(clinicDeps.db, clock.now, 50); due.length > 0; ) {
        for (const { id } of due) await sendMail(clinicDeps, id);
        due = await listDueMail(clinicDeps.db, clock.now, 50);
      }
    };

    for (const id of [...bills, unpaid]) {
      show(id);
      await issuePayLink(world.clinicDeps, accountId, id);
    }
    expect(await payAll(world.clinicDeps, bills.slice(0, EARLY))).toEqual(['approved', 'pending']);
    await sendMails(world.clinicDeps);
    const copy = await exportAll(world);
    expect(await payAll(world.clinicDeps, bills.slice(EARLY))).toEqual(['approved', 'pending']);
    await sendMails(world.clinicDeps);
    const sentAddresses = mails.map(({ to }) => to);
    clock.now += 30 * MINUTE;

    await world.installation.clinics.erase(world.clinicDeps.clinic);
    const clinic = await restoreExport(world, copy);
    const restoredDeps = world.deps(clinic);
    await connectAccount(
      restoredDeps,
      { accountId, name: world.name, domain: 'maple.example', timeZone: 'America/Indiana/Indianapolis' },
      { accessToken: 'a1', refreshToken: 'r1', expiresInS: 18_000_000, scopes: ['oauth'] },
    );
    const charged = recorded.length;
    const sample = bills.slice(EARLY, EARLY + 20);
    expect(await payAll(restoredDeps, sample)).toEqual(['gateway-unavailable']);
    await reconcileAccounts(restoredDeps);
    expect(await payOne(restoredDeps, unpaid)).toBe('gateway-unavailable');
    clock.now += 11 * MINUTE;
    // A lost charge is found by its invoice, so the CRM's records come first.
    await reconcileAccounts(restoredDeps);
    expect(await restoredDeps.db.select().from(paymentAttempts)).toHaveLength(EARLY);
    await restoredDeps.db.update(crmSyncs).set({ completeAt: clock.now });
    // A run reads a limited number of pages, and the next one continues.
    for (let run = 0; run < 3; run++) await reconcileAccounts(restoredDeps);

    const bookedIds = new Set((await restoredDeps.db.select().from(ledger)).map(({ providerTxnId }) => providerTxnId));
    const attempts = await restoredDeps.db.select().from(paymentAttempts);
    const knownIds = new Set(attempts.map(({ id }) => id));
    const missing = recorded.filter(({ id, attemptId }) => !bookedIds.has(id) && !knownIds.has(attemptId));
    expect(missing).toEqual([]);
    expect(attempts.filter(({ state }) => state === 'needs_human').length).toBeGreaterThanOrEqual(LOST);

    expect(await payAll(restoredDeps, bills.slice(-RETRIES))).toEqual(['pending']);
    expect(recorded).toHaveLength(charged);
    const merchant = { sessionId: 's', accountId, userId: PERSON, role: 'admin' } as const;
    for (const { id, state } of attempts)
      if (state === 'needs_human')
        expect(
          (await resolvePayment(restoredDeps, merchant, id, { verdict: 'charged', note: 'On the statement.' })).kind,
        ).toBe('resolved');
    expect(await payAll(restoredDeps, bills.slice(-RETRIES))).toEqual(['already-paid']);
    expect(recorded).toHaveLength(charged);
    await sendMails(restoredDeps);
    expect(mails.map(({ to }) => to)).toEqual(sentAddresses);
    // Payments work again.
    expect(await payOne(restoredDeps, unpaid)).toBe('approved');
  }, 240_000);
});
