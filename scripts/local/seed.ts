import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getPlatformProxy } from 'wrangler';
import * as z from 'zod/mini';
import * as sandbox from '#sandbox/credentials';
import { findSiteState } from '#worker/data/content/publishing/builds';
import { findMerchant, insertMerchant } from '#worker/data/merchants/merchants';
import { saveUser } from '#worker/data/merchants/sessions';
import { listPayableLinks } from '#worker/data/pay-links/pay-links';
import { keepVersions, listApproved } from '#worker/data/tamper-monitor/script-versions';
import { createDeps, type Deps, type Env } from '#worker/deps';
import { boardTerminal, connectAccount } from '#worker/domain/merchants/connect';
import { issuePayLink } from '#worker/domain/pay-links/issue';
import { approveScript } from '#worker/domain/tamper-monitor/report';
import { patientDatabase } from './patient-database.ts';
import { QUIET } from './processes.ts';
import { seedContent } from './seed-content.ts';
import type { Local } from './settings.ts';

const LINKS = 12;

/** Links that can be paid now, and the site's published revision. */
export type Seeded = { payLinks: string[]; revision: number };

/**
 * Creates the local product's first merchant: the sandbox's account 1, connected and boarded, with pay links on open
 * invoices. Later starts keep the links that can still be paid and issue more where some are missing.
 */
export async function seedLocal(local: Local, say: (what: string) => void): Promise<Seeded> {
  Object.assign(process.env, QUIET);
  const platform = await getPlatformProxy<Env>({
    configPath: 'wrangler.toml',
    persist: { path: path.join(local.state, 'v3') },
    remoteBindings: false,
  });
  try {
    const deps = createDeps({
      ...platform.env,
      ...local.vars,
      INSTALLATION: patientDatabase(platform.env.INSTALLATION, say),
    });
    const [, , vet] = sandbox.hubs;
    // Written last, so a start that was interrupted does it all again.
    if (!(await findMerchant(deps.db, vet.hubId))) await connectFirstAccounts(deps);
    await seedContent(deps, local);
    await approveProviderScript(deps, platform.env.MEDIA);
    const links = await payLinks(deps, local);
    const { state } = await findSiteState(deps.db);
    return { payLinks: links, revision: state?.revision ?? 0 };
  } finally {
    await platform.dispose();
  }
}

/** Account 1 takes payments, account 3 has applied at the card provider and waits, account 2 never connected. */
async function connectFirstAccounts(deps: Deps): Promise<void> {
  const [dental, , vet] = sandbox.hubs;
  await connect(deps, dental, {
    address: '214 Maple Street, Carmel, IN 46032',
    phone: '(317) 555-0188',
    email: `billing@${dental.domain}`,
  });
  await connect(deps, vet, {});
  for (const { hubId, ...terminal } of sandbox.terminals) await boardTerminal(deps, { ...terminal, accountId: hubId });
  const claimedAt = deps.now();
  await insertMerchant(deps.db, {
    accountId: dental.hubId,
    name: dental.name,
    merchantNumber: sandbox.merchantIds[dental.hubId] ?? null,
    status: 'boarded',
    claimedAt,
  });
  await insertMerchant(deps.db, {
    accountId: vet.hubId,
    name: vet.name,
    merchantNumber: sandbox.appliedMerchant.merchantNumber,
    signupUrl: `${deps.settings.BOARDING_BASE_URL}${sandbox.appliedMerchant.applicationPath}`,
    status: 'applied',
    claimedAt,
  });
}

/** The simulated provider's script is part of this repository, so that a fresh start has nothing for a person to approve. */
async function approveProviderScript(deps: Deps, media: R2Bucket): Promise<void> {
  const { db, sha256, now } = deps;
  const body = readFileSync('sandbox/card-frame/clearent-host.js');
  const version = { sha256: await sha256(body), type: 'text/javascript; charset=utf-8', body };
  if ((await listApproved(db)).includes(version.sha256)) return;
  await keepVersions(db, media, [version], now());
  const reason = 'The simulated provider serves it out of this repository.';
  await approveScript(deps, { sha256: version.sha256, by: 'npm start', reason });
}

async function connect(
  deps: Deps,
  account: sandbox.HubCredentials,
  more: { address?: string; phone?: string; email?: string },
) {
  const { hubId: accountId, name, domain, timeZone, refreshToken } = account;
  await connectAccount(
    deps,
    { accountId, name, domain, timeZone, ...more },
    await deps.crm.refreshTokens(refreshToken),
  );
  const [admin] = account.users;
  if (admin) await saveUser(deps.db, { accountId, userId: admin.userId, email: admin.email, lastLoginAt: deps.now() });
}

async function payLinks(deps: Deps, local: Local): Promise<string[]> {
  const [account] = sandbox.hubs;
  const known = await listPayableLinks(deps.db, account.hubId, deps.now());
  const addresses = known.map(({ payId }) => payId);
  const taken = new Set(known.map(({ invoiceId }) => invoiceId));
  for (const invoiceId of addresses.length < LINKS ? await openInvoices(local) : []) {
    if (addresses.length >= LINKS) break;
    if (taken.has(invoiceId)) continue;
    const link = await issuePayLink(deps, account.hubId, invoiceId);
    const isPayable = (await listPayableLinks(deps.db, account.hubId, deps.now())).some(
      ({ payId }) => payId === link?.payId,
    );
    if (link && isPayable) addresses.push(link.payId);
  }
  return addresses.map((payId) => `${local.appUrl}/make/payment/${payId}`);
}

const TokenAnswer = z.object({ access_token: z.string() });
const SearchAnswer = z.object({ results: z.array(z.object({ id: z.string() })) });

/** Open invoices in dollars, newest first, as the CRM lists them. */
async function openInvoices({ sandboxUrl }: Local): Promise<string[]> {
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
