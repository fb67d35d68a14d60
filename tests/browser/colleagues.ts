import { and, desc, eq } from 'drizzle-orm';
import type { Page } from 'playwright-core';
import { hubs } from '#sandbox/credentials';
import type { PageOptions } from '#tests/support/browser/browser';
import type { useProduct } from '#tests/support/product/product';
import { sessions, users } from '#worker/data/schema/schema';
import { logIn } from './merchant.ts';
import { act, CODE, invite, join, newPerson, readFromMail } from './staff.ts';

const [dental] = hubs;
/** Console errors of calls that the Worker refuses in these tests. */
const REFUSED = /40[1349]|410|422/;

const press = (page: Page, name: string) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();

/** Helpers that add people to the first clinic's team for one test. */
export function useColleagues(
  product: ReturnType<typeof useProduct>,
  newPage: (options?: PageOptions) => Promise<Page>,
) {
  const { appUrl } = product;
  const accept = (page: Page) => page.evaluate(() => localStorage.setItem('cookieConsent', 'accepted'));

  /** Opens a page of the account's first administrator in a separate session. */
  const adminPage = async (options: PageOptions = {}) => {
    const page = await newPage({ expected: REFUSED, ...options });
    await logIn(page, appUrl, dental);
    await accept(page);
    return page;
  };

  return {
    adminPage,
    /** Adds a new person to the team, logged in on their own page; `leave` removes them. */
    colleague: async (first: string, role: string, view: PageOptions = {}) => {
      const person = newPerson(first);
      const admin = await adminPage();
      const page = await newPage({ expected: REFUSED, ...view });
      await join(page, await invite(product, admin, person, role), appUrl);
      await accept(page);
      const leave = async () => {
        await admin.goto(`${appUrl}/account/team`);
        await act(admin, `Remove ${person.name}`, 'Remove');
        await admin.getByText(`${person.name} was removed.`).waitFor();
      };
      return { person, page, admin, leave };
    },
    /**
     * Makes the last proof of the person's newest session too old. The administrator's older sessions belong to other
     * tests, which would have to prove themselves as well.
     */
    outdateProof: async (email: string): Promise<void> => {
      const { db } = product.deps();
      const [user] = await db.select().from(users).where(eq(users.email, email));
      const ofPerson = and(eq(sessions.accountId, dental.hubId), eq(sessions.userId, user?.userId ?? 0));
      const [newest] = await db
        .select({ id: sessions.id })
        .from(sessions)
        .where(ofPerson)
        .orderBy(desc(sessions.createdAt))
        .limit(1);
      await db
        .update(sessions)
        .set({ provedAt: 0, createdAt: Date.now() - 3_600_000 })
        .where(and(ofPerson, eq(sessions.id, newest?.id ?? '')));
    },
    /** Sets a PIN as the person's first factor, with the mailed code. */
    setPin: async (page: Page, { email }: { email: string }, pin: string): Promise<void> => {
      await page.goto(`${appUrl}/userinfo`);
      await page.getByRole('button', { name: 'Set a PIN' }).click();
      await press(page, 'Email me a code');
      const dialog = page.getByRole('dialog').last();
      await dialog.getByLabel('Code').fill(await readFromMail(product, email, CODE));
      await dialog.getByLabel('New PIN').fill(pin);
      await press(page, 'Set a PIN');
      await page.getByText('You have a PIN.').waitFor();
    },
    /** Makes a new invoice and pays it online. */
    paidInvoice: async () => {
      const link = await product.makeLink();
      const { status } = await product.pay(link.payId, await product.form());
      if (status !== 200) throw new Error(`the payment was refused: ${status}`);
      return link;
    },
  };
}
