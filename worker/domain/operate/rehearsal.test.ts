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
import { reconcileAccounts } from '#worker/domain/reconciliation/reconcile-accounts';
import { resolvePayment } from '#worker/domain/reconciliation/resolve-payment';
import type { GatewayTransaction } from '#worker/vendors/gateway-port';

useObjects();

const MINUTE = 60_000;
const EARLY_PAYMENTS = 10;
const LOST_PAYMENTS = env.COMPLETE ? 200 : 60;
/** The number of payers who submit a second time. */
const RETRIES = 25;
const ADMIN_ID = 77;

/** Makes the gateway record its transactions and lose every tenth response to a charge. */
function recordTransactions(world: ClinicWorld): GatewayTransaction[] {
  const recordedTransactions: GatewayTransaction[] = [];
  const { gateway } = world.installation;
  gateway.charge = async (request) => {
    world.clock.now += 1000;
    const txn = transaction(request, { id: `txn-${recordedTransactions.length}`, createdAt: world.clock.now });
    recordedTransactions.push(txn);
    return recordedTransactions.length % 10 === 0 ? lostOutcome : { kind: 'approved', txn, exchangeId: 'x' };
  };
  gateway.find = async (_terminal, _method, searchKey) =>
    recordedTransactions.filter((txn) => ('attemptId' in searchKey ? txn.attemptId === searchKey.attemptId : false));
  gateway.listTransactions = async (_terminal, method, { from, to }, page) => {
    const matching = recordedTransactions.filter(
      ({ createdAt }) => method === 'card' && (createdAt ?? 0) >= from && (createdAt ?? 0) <= to,
    );
    return { transactions: matching.slice((page - 1) * 100, page * 100), isLast: matching.length <= page * 100 };
  };
  return recordedTransactions;
}

describe('a clinic whose object was lost', () => {
  it('is restored from its export with no later payment missing or doubled, and no email repeated', async () => {
    const world = await clinicWorld();
    const { accountId, clock, crm, mails } = world;
    const recordedTransactions = recordTransactions(world);
    await world.clinicDeps.db
      .insert(users)
      .values({ accountId, userId: ADMIN_ID, email: 'ana@maple.example', role: 'admin', lastLoginAt: 0 });
    const firstInvoiceId = Number(world.invoiceId) + 50_000;
    const invoiceIds = Array.from({ length: EARLY_PAYMENTS + LOST_PAYMENTS }, (_, index) =>
      String(firstInvoiceId + index),
    );
    const unpaidInvoiceId = String(firstInvoiceId + 1000);

    const showInCrm = (id: string) => {
      const email = `${id}@payer.example`;
      if (crm.invoice) crm.invoice = { ...crm.invoice, id, number: `INV-${id}` };
      if (crm.invoice?.contact) crm.invoice.contact = { ...crm.invoice.contact, email };
    };
    const payOne = async (clinicDeps: Deps, id: string): Promise<string> => {
      showInCrm(id);
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

    for (const id of [...invoiceIds, unpaidInvoiceId]) {
      showInCrm(id);
      await issuePayLink(world.clinicDeps, accountId, id);
    }
    expect(await payAll(world.clinicDeps, invoiceIds.slice(0, EARLY_PAYMENTS))).toEqual(['approved', 'pending']);
    await sendMails(world.clinicDeps);
    const exportedRows = await exportAll(world);
    expect(await payAll(world.clinicDeps, invoiceIds.slice(EARLY_PAYMENTS))).toEqual(['approved', 'pending']);
    await sendMails(world.clinicDeps);
    const sentAddresses = mails.map(({ to }) => to);
    clock.now += 30 * MINUTE;

    await world.installation.clinics.erase(world.clinicDeps.clinic);
    const clinic = await restoreExport(world, exportedRows);
    const restoredDeps = world.deps(clinic);
    await connectAccount(
      restoredDeps,
      { accountId, name: world.name, domain: 'maple.example', timeZone: 'America/Indiana/Indianapolis' },
      { accessToken: 'a1', refreshToken: 'r1', expiresInS: 18_000_000, scopes: ['oauth'] },
    );
    const chargeCount = recordedTransactions.length;
    const sample = invoiceIds.slice(EARLY_PAYMENTS, EARLY_PAYMENTS + 20);
    expect(await payAll(restoredDeps, sample)).toEqual(['gateway-unavailable']);
    await reconcileAccounts(restoredDeps);
    expect(await payOne(restoredDeps, unpaidInvoiceId)).toBe('gateway-unavailable');
    clock.now += 11 * MINUTE;
    // A lost charge is found by its invoice, so the CRM's records come first.
    await reconcileAccounts(restoredDeps);
    expect(await restoredDeps.db.select().from(paymentAttempts)).toHaveLength(EARLY_PAYMENTS);
    await restoredDeps.db.update(crmSyncs).set({ completeAt: clock.now });
    // A run reads a limited number of pages, and the next one continues.
    for (let run = 0; run < 3; run++) await reconcileAccounts(restoredDeps);

    const bookedIds = new Set((await restoredDeps.db.select().from(ledger)).map(({ providerTxnId }) => providerTxnId));
    const attempts = await restoredDeps.db.select().from(paymentAttempts);
    const knownIds = new Set(attempts.map(({ id }) => id));
    const missingTransactions = recordedTransactions.filter(
      ({ id, attemptId }) => !bookedIds.has(id) && !knownIds.has(attemptId),
    );
    expect(missingTransactions).toEqual([]);
    expect(attempts.filter(({ state }) => state === 'needs_human').length).toBeGreaterThanOrEqual(LOST_PAYMENTS);

    expect(await payAll(restoredDeps, invoiceIds.slice(-RETRIES))).toEqual(['pending']);
    expect(recordedTransactions).toHaveLength(chargeCount);
    const merchant = { sessionId: 's', accountId, userId: ADMIN_ID, role: 'admin' } as const;
    for (const { id, state } of attempts)
      if (state === 'needs_human')
        expect(
          (await resolvePayment(restoredDeps, merchant, id, { verdict: 'charged', note: 'On the statement.' })).kind,
        ).toBe('resolved');
    expect(await payAll(restoredDeps, invoiceIds.slice(-RETRIES))).toEqual(['already-paid']);
    expect(recordedTransactions).toHaveLength(chargeCount);
    await sendMails(restoredDeps);
    expect(mails.map(({ to }) => to)).toEqual(sentAddresses);
    // Payments work again.
    expect(await payOne(restoredDeps, unpaidInvoiceId)).toBe('approved');
  }, 240_000);
});
