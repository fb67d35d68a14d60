import type { Page } from 'playwright-core';
import type { useProduct } from '#tests/support/product/product';
import { until } from '#tests/support/product/product';

type Product = ReturnType<typeof useProduct>;

/** Sends a request from the page, with the page's cookies and token; returns the status. */
export const callFrom = (page: Page, method: string, path: string, body?: object): Promise<number> =>
  page.evaluate(
    async ([verb, url, payload]) => {
      const token = /authToken=([^;]+)/.exec(document.cookie)?.[1] ?? '';
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const init = { method: verb, headers, ...(payload ? { body: JSON.stringify(payload) } : {}) };
      return (await fetch(url, init)).status;
    },
    [method, path, body] as const,
  );

/** Returns a part of the newest matching mail to an address, such as a link or a code. */
export async function readFromMail(product: Product, email: string, pattern: RegExp, after = 0): Promise<string> {
  const mails = await until(
    async () => (await product.mailTo(email)).filter(({ text }) => pattern.test(text)),
    (all) => all.length > after,
  );
  return pattern.exec(mails.at(-1)?.text ?? '')?.[1] ?? '';
}

export const CODE = /\b(\d{4} ?\d{4})\b/;
export const LINK = /(\S+\/join\/[\w-]+)/;

/** Returns a new person for one test. */
export function newPerson(first: string) {
  const tag = crypto.randomUUID().slice(0, 8);
  return { name: `${first} ${tag}`, email: `${first.toLowerCase()}-${tag}@staff.example` };
}

const dialog = (page: Page) => page.getByRole('dialog');

/** Invites a person from an administrator's page; returns the mailed link. */
export async function invite(product: Product, page: Page, person: { name: string; email: string }, role: string) {
  await page.goto(`${product.appUrl}/account/team`);
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByRole('radio', { name: new RegExp(`^${role}`) }).check();
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByText(`The invitation was sent to ${person.email}.`).waitFor();
  return readFromMail(product, person.email, LINK);
}

/** Opens an action's dialog by its button and confirms it. */
export async function act(page: Page, button: string, verb: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click();
  await dialog(page).getByRole('button', { name: verb, exact: true }).click();
}

/** Accepts an invitation in the person's own browser, which is then logged in. */
export async function join(page: Page, link: string, appUrl: string): Promise<void> {
  await page.goto(link);
  await page.getByRole('button', { name: 'Accept and log in' }).click();
  await page.waitForURL(`${appUrl}/`);
  await page.getByRole('heading', { name: 'Dashboard', exact: true }).waitFor();
}
