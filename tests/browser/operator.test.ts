import { eq, inArray } from 'drizzle-orm';
import { afterEach, describe, expect, it } from 'vitest';
import { DESKTOP, expectAccessible, PHONE, picture, type Theme, useBrowser } from '#tests/support/browser/browser';
import { useProduct } from '#tests/support/product/product';
import { clinics } from '#worker/data/schema/directory';
import { alertAccounts, alerts } from '#worker/data/schema/monitoring';
import { enterCode, goTo, tag, useOperators } from './operators.ts';

const product = useProduct();
const { open, enrol } = useOperators(product);
const newPage = useBrowser();
const UNAUTHORIZED = /401/;
const NEEDS_PROOF = /401|403/;

const VIEWS: [Theme, typeof PHONE][] = [
  ['light', DESKTOP],
  ['dark', PHONE],
];

const addedClinics: number[] = [];
/** Removes the added clinics, because every later test would also run their clocks. */
afterEach(async () => {
  const accounts = addedClinics.splice(0);
  if (accounts.length > 0)
    await product.deps().installation.delete(clinics).where(inArray(clinics.accountId, accounts));
});

async function addClinic(fields: Partial<typeof clinics.$inferInsert> = {}) {
  const { installation, now } = product.deps();
  const name = `Clinic ${tag()}`;
  const accountId = Math.floor(Math.random() * 1e9);
  const row = { accountId, name, foundedAt: now(), heardAt: now(), schema: 17, bytes: 1_900_000, ...fields };
  await installation.insert(clinics).values(row);
  addedClinics.push(accountId);
  return { name, accountId };
}

describe('operator area', () => {
  it.each(VIEWS)(
    'admits an operator with a single-use code, then with a passkey, and logs out again (%s)',
    async (theme, viewport) => {
      const page = await newPage({ theme, viewport, expected: UNAUTHORIZED });
      await open(page);
      await picture(page, `operator-sign-in-${theme}`);
      const name = `Olga ${tag()}`;
      await enrol(page, name);
      await expectAccessible(page);
      await goTo(page, 'Log out');
      await page.getByText('You are logged out.').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Log in with a passkey' }).click();
      await page.getByRole('heading', { name: 'Overview' }).waitFor();
      await page.getByText(`${name} (operator) logged in.`).first().waitFor();
    },
  );

  it('rejects a passkey without user verification and an invalid code', async () => {
    const page = await newPage({ expected: /401|422/ });
    const authenticator = await open(page);
    await enrol(page, 'Ivo Klein');
    await goTo(page, 'Log out');
    await authenticator.verify(false);
    await page.getByRole('button', { name: 'Log in with a passkey' }).click();
    await page.getByRole('alert').getByText('No passkey was shown.').waitFor();
    await enterCode(page, 'Eve', 'a-code-of-nobody');
    await expectAccessible(page);
    await page.getByRole('alert').getByText('This code is not valid.').waitFor();
  });

  it.each(VIEWS)('shows the current status and lets an operator acknowledge an alert (%s)', async (theme, viewport) => {
    const { installation, now } = product.deps();
    const [key, at] = [`alert-${tag()}`, now() - 20 * 60_000];
    const event = `payment-waits-${tag()}`;
    await installation.insert(alerts).values({
      key,
      event,
      subject: '',
      severity: 'now',
      firstAt: at,
      lastAt: now(),
      n: 4,
      fields: '{"attemptId":"a1"}',
    });
    const clinic = await addClinic({ needsHuman: 2, stuckSince: at, lastPaymentAt: now() });
    await installation.insert(alertAccounts).values({ key, account: clinic.accountId, firstAt: at });
    const page = await newPage({ theme, viewport, expected: UNAUTHORIZED });
    await open(page);
    const name = `Olga ${tag()}`;
    await enrol(page, name);
    await page.getByRole('link', { name: 'Waits for a decision', exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, `operator-overview-${theme}`);
    const row = page.getByRole('listitem').filter({ hasText: event });
    await row.getByRole('link', { name: clinic.name }).waitFor();
    await row.getByText('attemptId: a1').waitFor();
    await row.getByRole('button', { name: /Acknowledge/ }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Acknowledge' }).click();
    await row.getByText(`Acknowledged by ${name}`).waitFor();
  });

  it.each(VIEWS)('finds a clinic, shows its contact, and wakes it (%s)', async (theme, viewport) => {
    const { name, accountId } = await addClinic({ failingSince: Date.now() });
    const [key, firstAt] = [`alert-${tag()}`, Date.now()];
    const event = {
      key,
      event: 'crm-copy-old',
      subject: '',
      severity: 'daily',
      firstAt,
      lastAt: firstAt,
      n: 1,
    } as const;
    await product
      .deps()
      .installation.insert(alerts)
      .values({ ...event, fields: '{}' });
    await product.deps().installation.insert(alertAccounts).values({ key, account: accountId, firstAt });
    for (let n = 0; n < 60; n++) await addClinic();
    const page = await newPage({ theme, viewport, expected: NEEDS_PROOF });
    await open(page);
    await enrol(page, `Olga ${tag()}`);
    await goTo(page, 'Clinics');
    await page.getByText(/\d+ clinics, page 1 of \d+/).waitFor();
    await expectAccessible(page);
    await picture(page, `operator-clinics-${theme}`);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(/page 2 of \d+/).waitFor();
    await page.getByRole('searchbox').fill(name);
    await page.getByText('1 clinic, page 1 of 1').waitFor();
    await page.getByText('CRM sync fails').last().waitFor();
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText('A clinic’s CRM could not be read').waitFor();
    await expectAccessible(page);
    await picture(page, `operator-clinic-${theme}`);
    // After five minutes, the action requires the passkey again.
    await product.deps().installation.$client.prepare('UPDATE operator_sessions SET proven_at = 0').run();
    await page.getByRole('button', { name: 'Wake' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Wake' }).click();
    await page.getByText(/Clinic \d+ was woken/).waitFor();
  });

  it('pauses payments, shows payers a contact, and resumes them', async () => {
    const { address } = await product.makeLink();
    const page = await newPage({ expected: /401|503/ });
    await open(page);
    await enrol(page, `Olga ${tag()}`);
    const press = async (verb: string) => {
      await page.getByRole('button', { name: `${verb} payments` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Why').fill('The card provider asked for it');
      await dialog.getByRole('button', { name: verb }).click();
    };
    const statusOf = async () => (await fetch(address)).status;
    await press('Pause');
    try {
      await page.getByText('Online payments are paused for all clinics').waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: 'Online payments are paused for all clinics' }).click();
      await page.getByRole('table').getByText('Payments paused').first().waitFor();
      await goTo(page, 'Overview');
      await expect.poll(statusOf).toBe(503);
    } finally {
      await press('Resume');
    }
    await page.getByText('Online payments are open.').first().waitFor();
    await expect.poll(statusOf).toBe(200);
  });

  it('leads from an alert to its steps in the runbook, and shows health, mails, builds and dumps', async () => {
    const { installation, now } = product.deps();
    const event = 'gateway-refused-our-credentials';
    const { accountId, name } = await addClinic();
    const row = { key: event, event, subject: '', severity: 'now', firstAt: now(), lastAt: now(), n: 1 } as const;
    await installation
      .insert(alerts)
      .values({ ...row, fields: '{}' })
      .onConflictDoNothing();
    await installation.insert(alertAccounts).values({ key: event, account: accountId, firstAt: now() });
    const page = await newPage({ expected: UNAUTHORIZED });
    await open(page);
    await enrol(page, `Olga ${tag()}`);
    const alertRow = page.getByRole('listitem').filter({ hasText: event });
    await alertRow.getByText('for one, ask the provider').waitFor();
    await page.getByRole('link', { name: /^Payers cannot pay at/ }).click();
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByText('Payers cannot pay')
      .waitFor();
    await page.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.locator('.op-head').getByText('Payers cannot pay').waitFor();
    await page.getByRole('link', { name: `All steps for ${event}` }).click();
    await page.getByRole('heading', { name: 'The card provider refuses the key of a terminal' }).waitFor();
    await goTo(page, 'Health');
    await page.getByRole('heading', { name: 'Jobs of the schedule' }).waitFor();
    await goTo(page, 'Mails');
    await page.getByRole('heading', { name: /^Not sent/ }).waitFor();
    await goTo(page, 'Builds');
    await page.getByRole('button', { name: 'Start a build' }).waitFor();
    await goTo(page, 'Clinics');
    await page.getByRole('searchbox').fill('Maple Street Dental');
    await page.getByRole('link', { name: 'Maple Street Dental' }).click();
    await page.getByRole('link', { name: 'Restore them' }).click();
    await page.getByText(/npm run clinic -- restore \d+/).waitFor();
    await installation.delete(alertAccounts).where(eq(alertAccounts.key, event));
    await installation.delete(alerts).where(eq(alerts.key, event));
  });

  it('lets an operator invite another with a code shown once, and remove them', async () => {
    const page = await newPage({ expected: UNAUTHORIZED });
    await open(page);
    await enrol(page, `Olga ${tag()}`);
    const otherPage = await newPage({ expected: UNAUTHORIZED });
    await open(otherPage);
    const name = `Ivo ${tag()}`;
    await goTo(page, 'Operators');
    await page.getByRole('button', { name: 'Make a code' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a code' }).click();
    const code = (await page.locator('.op-code').textContent()) ?? '';
    await expectAccessible(page);
    await picture(page, 'operator-operators-light');
    await enterCode(otherPage, name, code);
    await otherPage.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: `Remove ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('The operator was removed.').waitFor();
    await goTo(otherPage, 'Clinics');
    await otherPage.getByText('You are logged out.').waitFor();
  });
});
