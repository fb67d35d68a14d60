import { eq, sql } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { SUPPORT_USER, SUPPORT_VIEW_MS } from '#shared/contracts/staff/team-values';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { supportViews } from '#worker/data/schema/operators';
import { sessions } from '#worker/data/schema/schema';
import { useColleagues } from './colleagues.ts';
import { goTo, tag, useOperators } from './operators.ts';
import { callFrom } from './staff.ts';

const product = useProduct();
const { open, enrol } = useOperators(product);
const newPage = useBrowser();
const { adminPage } = useColleagues(product, newPage);
const { appUrl } = product;
const [dental] = hubs;
const expected = /40[13]|409/;

/** Opens the Help page as an administrator, in a separate session. */
async function openHelp(): Promise<Page> {
  const page = await adminPage();
  await page.goto(`${appUrl}/help`);
  return page;
}

async function grant(admin: Page): Promise<void> {
  await admin.getByRole('button', { name: 'Allow access for an hour' }).click();
  await admin.getByText(/^Support has access to this account until/).waitFor();
}

/** Opens the clinic in the operator area. */
async function openClinic(name: string): Promise<Page> {
  const page = await newPage({ expected });
  await open(page);
  await enrol(page, name);
  await goTo(page, 'Clinics');
  await page.getByRole('searchbox').fill(dental.name);
  await page.getByText('1 clinic, page 1 of 1').waitFor();
  await page.getByRole('link', { name: dental.name }).click();
  await page.getByRole('heading', { level: 1, name: dental.name }).waitFor();
  return page;
}

async function requestView(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'View as clinic' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'View', exact: true }).click();
}

async function openView(page: Page): Promise<void> {
  await requestView(page);
  await page.getByText(`You are viewing ${dental.name} for support until`).waitFor();
}

/** Moves grants and support sessions one hour into the past. */
async function moveHourBack(): Promise<void> {
  const { db } = product.deps();
  await db.update(supportViews).set({ endsAt: sql`ends_at - ${SUPPORT_VIEW_MS}` });
  await db
    .update(sessions)
    .set({ endsAt: sql`ends_at - ${SUPPORT_VIEW_MS}` })
    .where(eq(sessions.userId, SUPPORT_USER));
}

/** Removes the grants of other tests in this product. */
beforeEach(async () => void (await product.deps().db.delete(supportViews)));

describe('support view of a clinic', { timeout: 120_000 }, () => {
  it('opens only with the clinic’s grant, is read-only, appears in the audit trail, and closes with the grant', async () => {
    const admin = await openHelp();
    const operator = `Olga ${tag()}`;
    const page = await openClinic(operator);
    await requestView(page);
    const refusal = page.getByRole('dialog');
    await refusal.getByRole('alert').waitFor();
    await picture(page, 'support-view-refused');
    await refusal.getByRole('button', { name: 'Cancel' }).click();

    await grant(admin);
    await picture(admin, 'support-view-granted');
    await openView(page);
    await page.getByRole('heading', { name: 'Batches Dashboard' }).waitFor();
    await picture(page, 'support-view-looking');
    for (const [path, heading] of [
      ['/customers', 'Customers'],
      ['/invoices', 'Invoices'],
      ['/openInvoices', 'Open Invoices'],
    ] as const) {
      await page.goto(`${appUrl}${path}`);
      await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    }
    expect(await page.getByRole('button', { name: /^Email / }).count()).toBe(0);

    for (const [method, path] of [
      ['POST', '/api/matching'],
      ['PUT', '/api/token/footer-text'],
      ['POST', '/api/team/invitations'],
      ['PUT', '/api/session/pin'],
      ['DELETE', '/api/sessions'],
    ] as const)
      expect(await callFrom(page, method, path, {}), `${method} ${path}`).toBe(403);
    await page.goto(`${appUrl}/userinfo`);
    await page.getByRole('button', { name: 'End all sessions' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End all' }).click();
    await page.getByRole('dialog').getByText('You cannot change or export anything.').waitFor();
    await expectAccessible(page);

    await admin.goto(`${appUrl}/audit`);
    await admin
      .getByText(/allowed support to look at this account for an hour/)
      .first()
      .waitFor();
    await admin
      .getByText(/looked at this account for support/)
      .first()
      .waitFor();
    await admin.goto(`${appUrl}/help`);
    await admin.getByRole('button', { name: 'End access now' }).click();
    await admin.getByRole('button', { name: 'Allow access for an hour' }).waitFor();
    await page.goto(`${appUrl}/customers`);
    await page.waitForURL(`${appUrl}/login?login=ended`);
  });

  it('ends after an hour, and is no longer shown as granted', async () => {
    const admin = await openHelp();
    await grant(admin);
    const page = await openClinic(`Olga ${tag()}`);
    await openView(page);
    expect(await callFrom(page, 'GET', '/api/customers')).toBe(200);
    await moveHourBack();
    expect(await callFrom(page, 'GET', '/api/customers')).toBe(401);
    // Uses a new tab, because the first one also polls and navigates away when its requests are refused.
    const tab = await page.context().newPage();
    await tab.goto(`${appUrl}/customers`);
    await tab.waitForURL(`${appUrl}/login?login=ended`);
    await admin.reload();
    await admin.getByRole('button', { name: 'Allow access for an hour' }).waitFor();
    expect(await admin.getByText(/^Support has access/).count()).toBe(0);
  });
});
