import { eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { expectAccessible, picture, useBrowser } from '#tests/support/browser/browser';
import { complete } from '#tests/support/complete-only';
import { until, useProduct } from '#tests/support/product/product';
import { sessions, users } from '#worker/data/schema/schema';
import { useColleagues } from './colleagues.ts';
import { VIEWS } from './merchant.ts';
import { act, CODE, readFromMail } from './staff.ts';

const product = useProduct();
const newPage = useBrowser();
const { adminPage, colleague, outdateProof, setPin, paidInvoice } = useColleagues(product, newPage);
const { appUrl } = product;
const [dental] = hubs;
/** Maximum duration of a change of person, in plain loads of the page. It is one call and one load. */
const MAX_LOADS = 4;

const dialog = (page: Page) => page.getByRole('dialog').last();
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();

/** Adds a virtual authenticator that presents its passkeys without a prompt. */
async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
  });
}

/** Fills in the void of an invoice's payment without submitting it. */
async function fillVoid(page: Page, invoiceId: string, reason: string): Promise<void> {
  await page.goto(`${appUrl}/invoice/${invoiceId}`);
  await page.getByRole('button', { name: 'Void or refund' }).click();
  await dialog(page).getByLabel('Reason').fill(reason);
}

describe('staff who void or refund', () => {
  it.each(VIEWS)('staff confirm their identity with a PIN, and the typed text is kept (%s)', async (_name, view) => {
    const { person, page, leave } = await colleague('Eva', 'Administrator', view);
    await setPin(page, person, '483920');
    await picture(page, `sign-in-factors-${(view as { theme?: string }).theme}`);
    const { invoiceId } = await paidInvoice();
    await fillVoid(page, invoiceId, 'Billed twice');
    await outdateProof(person.email);
    await press(page, 'Void $184.00');
    const proofDialog = page.getByRole('dialog', { name: 'Is it still you?' });
    await proofDialog.waitFor();
    await picture(page, `step-up-${(view as { theme?: string }).theme}`);
    await proofDialog.getByLabel('Your PIN').fill('111112');
    await press(page, 'Confirm');
    await proofDialog.getByText('This PIN is wrong.').waitFor();
    await expectAccessible(page);
    await press(page, 'Cancel');
    expect(await dialog(page).getByLabel('Reason').inputValue()).toBe('Billed twice');
    await press(page, 'Void $184.00');
    await proofDialog.getByLabel('Your PIN').fill('483920');
    await page.keyboard.press('Enter');
    await page.getByText('Voided $184.00.').waitFor();
    await leave();
  });

  it('staff without passkey and PIN log in through the CRM and continue where they were', async () => {
    const page = await adminPage();
    const email = dental.users[0]?.email ?? '';
    const { invoiceId } = await paidInvoice();
    await fillVoid(page, invoiceId, 'Billed to the wrong person');
    await outdateProof(email);
    await press(page, 'Void $184.00');
    await page.getByRole('dialog', { name: 'Is it still you?' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'step-up-login-light');
    await press(page, 'Log in with CRM');
    await page.getByRole('radio', { name: dental.name }).check();
    await page.getByRole('button', { name: 'Grant access' }).click();
    await page.waitForURL(`${appUrl}/invoice/${invoiceId}`);
    await dialog(page).waitFor();
    expect(await dialog(page).getByLabel('Reason').inputValue()).toBe('Billed to the wrong person');
    await press(page, 'Void $184.00');
    await page.getByText('Voided $184.00.').waitFor();
    expect(await page.evaluate(() => Object.keys(sessionStorage))).toEqual(['places']);
  });

  it('staff confirm their identity with a mailed code without leaving the page', async () => {
    const { person, page, leave } = await colleague('Finn', 'Administrator');
    const { invoiceId } = await paidInvoice();
    await fillVoid(page, invoiceId, 'Cancelled');
    await outdateProof(person.email);
    await press(page, 'Void $184.00');
    await press(page, 'Email me a code');
    await dialog(page)
      .getByLabel('Code')
      .fill(await readFromMail(product, person.email, CODE));
    await press(page, 'Log in');
    await page.getByText('Voided $184.00.').waitFor();
    await leave();
  });

  it('a void above the set amount waits for a second person, and its requester cannot approve it', async () => {
    const { page, admin, leave } = await colleague('Gil', 'Administrator');
    const setAmount = async (amount: string) => {
      await admin.goto(`${appUrl}/account/team`);
      await admin.getByLabel('Amount above which a second person approves').fill(amount);
      await admin.getByRole('button', { name: /^Save .*second person/ }).click();
      await admin.getByText('Saved.').first().waitFor();
    };
    await setAmount('50.00');
    try {
      const { invoiceId, number } = await paidInvoice();
      await fillVoid(page, invoiceId, 'Insurance paid');
      await press(page, 'Void $184.00');
      await page.getByText('Waiting for a second person.').waitFor();
      await picture(page, 'waiting-light');
      await page.goto(`${appUrl}/account/approvals`);
      const ownRequest = page.getByRole('listitem').filter({ hasText: number });
      await ownRequest.getByText('Waiting for a second person').waitFor();
      expect(await ownRequest.getByRole('button').allInnerTexts()).toEqual([expect.stringMatching(/^Withdraw/)]);

      await admin.goto(`${appUrl}/`);
      // Chrome inserts the space, because the part for screen readers is a separate block.
      const decide = /^Decide ?: A refund or void of \$184\.00 is waiting for approval$/;
      await admin.getByRole('listitem').filter({ hasText: number }).getByRole('link', { name: decide }).click();
      await admin.getByRole('listitem').filter({ hasText: number }).getByText('Waiting for you').waitFor();
      await picture(admin, 'approvals-light');
      await act(admin, `Approve the void of ${number}`, 'Approve');
      await admin.getByText('Voided $184.00.').waitFor();
      await page.reload();
      await ownRequest.getByText('Approved by').waitFor();
      await expectAccessible(page);
    } finally {
      await setAmount('');
    }
    await leave();
  });
});

describe('a passkey', () => {
  it('is created with a mailed code, logs in without the CRM, and serves as proof of identity', async () => {
    const { person, page, leave } = await colleague('Hana', 'Administrator');
    await addAuthenticator(page);
    await page.goto(`${appUrl}/userinfo`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await press(page, 'Email me a code');
    await dialog(page)
      .getByLabel('Code')
      .fill(await readFromMail(product, person.email, CODE));
    await dialog(page).getByLabel('Name').fill('Front desk laptop');
    await press(page, 'Add a passkey');
    await page.getByRole('button', { name: 'Remove Front desk laptop' }).waitFor();

    await page.goto(`${appUrl}/logout`);
    await page.goto(`${appUrl}/login`);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(`${appUrl}/`);
    const { invoiceId } = await paidInvoice();
    await fillVoid(page, invoiceId, 'Billed twice');
    await outdateProof(person.email);
    await press(page, 'Void $184.00');
    await press(page, 'Use my passkey');
    await page.getByText('Voided $184.00.').waitFor();
    await leave();
  });
});

describe('a shared front desk', () => {
  it.each(VIEWS)('is handed over to a colleague with their PIN (%s)', async (_name, view) => {
    const ida = await colleague('Ida', 'Front desk');
    const jon = await colleague('Jon', 'Front desk', view);
    await setPin(ida.page, ida.person, '907351');
    await setPin(jon.page, jon.person, '264817');
    const { page } = jon;
    await page.goto(`${appUrl}/payments`);
    const openSwitch = async (name: string) => {
      await page.getByRole('button', { name: /^Account, / }).click();
      await page.getByRole('button', { name: 'Switch person' }).click();
      await dialog(page).getByText(name).waitFor();
    };
    /** Switches to a person. Returns the time (ms) until their page is shown. */
    const switchTo = async (name: string, pin: string): Promise<number> => {
      const startedAt = Date.now();
      await dialog(page).getByLabel(name).check();
      await dialog(page).getByLabel('PIN').fill(pin);
      const loaded = page.waitForEvent('load');
      await page.keyboard.press('Enter');
      await loaded;
      await page.getByRole('heading', { name: 'Take Payment' }).waitFor();
      return Date.now() - startedAt;
    };
    await openSwitch(ida.person.name);
    await expectAccessible(page);
    await picture(page, `switch-person-${(view as { theme?: string }).theme}`);
    expect(await dialog(page).getByText(jon.person.name).count()).toBe(0);
    const reloadTime = async (): Promise<number> => {
      const startedAt = Date.now();
      await page.reload();
      await page.getByRole('heading', { name: 'Take Payment' }).waitFor();
      return Date.now() - startedAt;
    };
    // Compares each change with the load after it, because the machine is shared. The best pair counts.
    const ratios = [(await switchTo(ida.person.name, '907351')) / (await reloadTime())];
    for (const [name, pin] of [
      [jon.person.name, '264817'],
      [ida.person.name, '907351'],
    ] as const) {
      await openSwitch(name);
      ratios.push((await switchTo(name, pin)) / (await reloadTime()));
    }
    const ratio = Math.min(...ratios);
    console.info(`a change of person takes ${ratio.toFixed(2)} loads of the page`);
    // In everyday runs, other pages on the machine may slow only one of the two.
    if (complete) expect(ratio).toBeLessThan(MAX_LOADS);
    await page.goto(`${appUrl}/userinfo`);
    await page.getByText(ida.person.email, { exact: true }).first().waitFor();
    // Jon's session in this browser is revoked, not only hidden.
    const { db } = product.deps();
    const [user] = await db.select().from(users).where(eq(users.email, jon.person.email));
    const sessionsOfJon = () =>
      db
        .select()
        .from(sessions)
        .where(eq(sessions.userId, user?.userId ?? 0));
    expect((await until(sessionsOfJon, (all) => all.every(({ revokedAt }) => revokedAt !== null))).length).toBe(2);
    await ida.leave();
    await jon.leave();
  });
});
