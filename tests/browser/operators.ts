import type { BrowserContext, Page } from 'playwright-core';
import { expectAccessible, type PageOptions } from '#tests/support/browser/browser';
import type { useProduct } from '#tests/support/product/product';
import { operatorCodes } from '#worker/data/schema/operators';

export const tag = () => crypto.randomUUID().slice(0, 8);

export const goTo = async (page: Page, name: string) => {
  const menu = page.getByRole('button', { name: 'Menu' });
  if (await menu.isVisible()) await menu.click();
  await page.getByRole('navigation', { name: 'Main' }).getByText(name, { exact: true }).click();
};

export async function enterCode(page: Page, name: string, code: string): Promise<void> {
  await page.getByRole('button', { name: 'I have a code' }).click();
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Make a passkey' }).click();
}

type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Helpers to enter a product's operator area. */
export function useOperators(product: ReturnType<typeof useProduct>) {
  /** Issues a code as another operator would. */
  const giveCode = async (): Promise<string> => {
    const deps = product.deps();
    const code = deps.newSecret();
    const [createdAt, endsAt] = [deps.now(), deps.now() + 3_600_000];
    const row = { codeHash: await deps.sha256(code), invitedBy: 'another', createdAt, endsAt };
    await deps.installation.insert(operatorCodes).values(row);
    return code;
  };
  /**
   * Opens the login of the area, with a virtual authenticator that presents its passkeys without a prompt. The
   * authenticator is added after the accessibility check, because the end of the check's session would remove it.
   */
  const open = async (page: Page) => {
    await page.goto(`${product.appUrl}/operator`);
    await page.getByRole('heading', { name: 'Log in to operate' }).waitFor();
    await expectAccessible(page);
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const;
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    });
    return {
      /** Sets whether the authenticator verifies its user from now on. */
      verify: (isUserVerified: boolean) =>
        session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    };
  };
  const enrol = async (page: Page, name: string): Promise<void> => {
    await enterCode(page, name, await giveCode());
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
  };
  let session: Promise<StorageState> | null = null;
  /** Returns the browser state of an operator who is logged in and has accepted cookies. */
  const logIn = async (newPage: (options?: PageOptions) => Promise<Page>): Promise<StorageState> => {
    const page = await newPage({ expected: /status of 401/ });
    await open(page);
    await enrol(page, 'Olga Reyes');
    await page.evaluate(() => localStorage.setItem('cookieConsent', 'accepted'));
    return page.context().storageState();
  };
  return {
    open,
    enrol,
    /** Pages on which an operator is logged in. Many tests share one login, so none may end its session. */
    operatorPage:
      (newPage: (options?: PageOptions) => Promise<Page>) =>
      async (options: PageOptions = {}): Promise<Page> => {
        session ??= logIn(newPage);
        return newPage({ storageState: await session, ...options });
      },
  };
}
