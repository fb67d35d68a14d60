import * as z from 'zod/mini';
import * as sandbox from '#sandbox/credentials';
import { saveFirstHour } from '#worker/data/first-hour/first-hour';
import { findMerchant, insertMerchant } from '#worker/data/merchants/merchants';
import { saveSwitch } from '#worker/data/merchants/pay-page-settings';
import { listPayableLinks } from '#worker/data/pay-links/pay-links';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import { clinicOfAccount, findOrCreateClinic, reportKeys } from '#worker/domain/merchants/clinic-of-account';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { issuePayLink } from '#worker/domain/pay-links/pay-link';

const LINKS = 12;

/**
 * The local product's first merchants, each in a clinic of its own: account 1 takes payments, account 3 has applied at
 * the card provider and waits, account 2 never connected. Later starts leave them as they are. `since`: connection time
 * of account 1 (UTC ms). Returns true if they are new.
 */
export async function seedMerchants(deps: Deps, since: number): Promise<boolean> {
  const [dental, , vet] = sandbox.hubs;
  const existing = await clinicOfAccount(deps, vet.hubId);
  // Written last, so that a start after an interruption repeats everything.
  if (existing && (await findMerchant(existing.db, vet.hubId))) {
    // Applies a newer version's migrations now, so that no user waits for them.
    for (const { hubId } of [dental, vet]) await findOrCreateClinic(deps, hubId);
    return false;
  }
  const clinics = new Map<number, Deps>();
  for (const { hubId } of [dental, vet]) clinics.set(hubId, await findOrCreateClinic(deps, hubId));
  const clinicOf = (accountId: number): Deps => {
    const clinic = clinics.get(accountId);
    if (!clinic) throw new Error(`account ${accountId} has no clinic`);
    // The clinic itself dates from today: otherwise the directory would report missing dumps of past nights.
    return accountId === dental.hubId ? { ...clinic, now: () => since } : clinic;
  };
  await connect(clinicOf(dental.hubId), dental, {
    address: '214 Maple Street, Carmel, IN 46032',
    phone: '(317) 555-0188',
    email: `billing@${dental.domain}`,
  });
  await connect(clinicOf(vet.hubId), vet, {});
  for (const { hubId, ...terminal } of sandbox.terminals)
    await boardTerminal(clinicOf(hubId), { ...terminal, accountId: hubId });
  const claimedAt = deps.now();
  // Its first hour is over, because it has a history.
  await saveFirstHour(
    clinicOf(dental.hubId).db,
    dental.hubId,
    { isEnded: true },
    since,
    auditEvent(clinicOf(dental.hubId), {
      accountId: dental.hubId,
      action: 'first-hour.decided',
      subject: ['account', String(dental.hubId)],
      after: { ended: true },
    }),
  );
  // It shows its payers the line items.
  await saveSwitch(
    clinicOf(dental.hubId).db,
    dental.hubId,
    { name: 'bill-lines', isOn: true },
    auditEvent(clinicOf(dental.hubId), {
      accountId: dental.hubId,
      action: 'bill-lines.changed',
      subject: ['account', String(dental.hubId)],
      after: { on: true },
    }),
  );
  await insertMerchant(clinicOf(dental.hubId).db, {
    accountId: dental.hubId,
    name: dental.name,
    merchantNumber: sandbox.merchantIds[dental.hubId] ?? null,
    status: 'boarded',
    claimedAt: since,
  });
  await reportKeys(clinicOf(dental.hubId));
  await insertMerchant(clinicOf(vet.hubId).db, {
    accountId: vet.hubId,
    name: vet.name,
    merchantNumber: sandbox.pendingMerchant.merchantNumber,
    signupUrl: `${deps.settings.BOARDING_BASE_URL}${sandbox.pendingMerchant.applicationPath}`,
    status: 'applied',
    claimedAt,
  });
  await reportKeys(clinicOf(vet.hubId));
  return true;
}

async function connect(
  deps: Deps,
  account: sandbox.HubCredentials,
  contact: { address?: string; phone?: string; email?: string },
) {
  const { hubId: accountId, name, domain, timeZone, refreshToken, users } = account;
  const [admin] = users;
  const tokens = await deps.crm.refreshTokens(refreshToken);
  await connectAccount(
    deps,
    { accountId, name, domain, timeZone, ...contact },
    // The CRM issues the tokens now, even if the account connected in the past.
    { ...tokens, expiresInS: tokens.expiresInS + (Date.now() - deps.now()) / 1000 },
    admin && { crmUserId: admin.userId, email: admin.email },
  );
}

/** Pay ids of account 1 that can be paid now. Issues more if some are missing. */
export async function seedPayLinks(installation: Deps, sandboxUrl: string): Promise<string[]> {
  const [account] = sandbox.hubs;
  const deps = await findOrCreateClinic(installation, account.hubId);
  const links = await listPayableLinks(deps.db, account.hubId, deps.now());
  const payIds = links.map(({ payId }) => payId);
  const linkedInvoices = new Set(links.map(({ invoiceId }) => invoiceId));
  for (const invoiceId of payIds.length < LINKS ? await openInvoices(sandboxUrl) : []) {
    if (payIds.length >= LINKS) break;
    if (linkedInvoices.has(invoiceId)) continue;
    const link = await issuePayLink(deps, account.hubId, invoiceId);
    const isPayable = (await listPayableLinks(deps.db, account.hubId, deps.now())).some(
      ({ payId }) => payId === link?.payId,
    );
    if (link && isPayable) payIds.push(link.payId);
  }
  return payIds;
}

const TokenAnswer = z.object({ access_token: z.string() });
const SearchAnswer = z.object({ results: z.array(z.object({ id: z.string() })) });

/** Open invoices in dollars, newest first, as the CRM lists them. */
async function openInvoices(sandboxUrl: string): Promise<string[]> {
  const [account] = sandbox.hubs;
  const grant = await fetch(`${sandboxUrl}/oauth/2026-09/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: sandbox.crmApp.clientId,
      client_secret: sandbox.crmApp.clientSecret,
      refresh_token: account.refreshToken,
    }),
  });
  const { access_token } = TokenAnswer.parse(await grant.json());
  const answer = await fetch(`${sandboxUrl}/crm/objects/2026-09/invoices/search`, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      filterGroups: [
        {
          filters: [
            { propertyName: 'hs_invoice_status', operator: 'EQ', value: 'open' },
            { propertyName: 'hs_currency', operator: 'EQ', value: 'USD' },
            { propertyName: 'hs_balance_due', operator: 'GTE', value: '1' },
            { propertyName: 'hs_number', operator: 'HAS_PROPERTY' },
          ],
        },
      ],
      sorts: [{ propertyName: 'hs_createdate', direction: 'DESCENDING' }],
      properties: ['hs_number'],
      limit: 60,
    }),
  });
  return SearchAnswer.parse(await answer.json()).results.map(({ id }) => id);
}
