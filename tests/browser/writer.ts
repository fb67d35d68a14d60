import type { Page } from 'playwright-core';
import { beforeAll, expect } from 'vitest';
import type { LoginReply } from '#shared/contracts/content/content';
import type { PageDetail, PostDetail } from '#shared/contracts/content/content-answers';
import type { ArticleBody } from '#shared/contracts/content/content-request';
import type { Theme, useBrowser } from '#tests/support/browser/browser';
import { DESKTOP, PHONE } from '#tests/support/browser/browser';
import type { useProduct } from '#tests/support/product/product';
import { until } from '#tests/support/product/product';
import { payerAddress } from '../whole/answers.ts';

type Product = ReturnType<typeof useProduct>;

export const PASSWORD = 'eleven gentle otters';
export const freshEmail = () => `${crypto.randomUUID().slice(0, 8)}@clinic.example`;
export const freshTitle = (start: string) => `${start} ${crypto.randomUUID().slice(0, 8)}`;

/** Helpers for the content area of the running product: its owner, new writers and new articles. */
export function useWriters(product: Product) {
  const [, owner = '', ownerPassword = ''] = /^login (\S+) (\S+)$/m.exec(product.output) ?? [];
  const { appUrl } = product;

  const call = async <T>(method: string, path: string, body?: unknown, token?: string): Promise<T> => {
    const response = await fetch(`${appUrl}${path}`, {
      method,
      headers: {
        // Each registration has its own address, or all would share one rate limit.
        ...payerAddress(),
        ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
        ...(token ? { authorization: `Bearer ${token}` } : {}),
      },
      ...(body === undefined ? {} : { body: body instanceof FormData ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };

  const tokenOf = async (email: string, password: string) =>
    (await call<LoginReply>('POST', '/api/auth/login', { email, password })).token;
  let ownerLogin: Promise<string> | undefined;
  const ownerToken = () => {
    ownerLogin ??= tokenOf(owner, ownerPassword);
    return ownerLogin;
  };

  /** Returns the link to a path from the mails to an address. */
  const linkTo = async (email: string, path: string) => {
    const link = new RegExp(`\\S*${path}#\\S+`);
    const mails = await until(
      () => product.mailTo(email),
      (all) => all.some(({ text }) => link.test(text)),
    );
    return mails.map(({ text }) => link.exec(text)?.[0]).find(Boolean) ?? '';
  };

  /** Registers a new writer with the owner’s invitation. */
  const makeWriter = async (role: 'editor' | 'owner' = 'editor') => {
    const email = freshEmail();
    await call('POST', '/api/cms/users/invitations', { email, role }, await ownerToken());
    const invitation = (await linkTo(email, '/register')).split('=')[1];
    const name = `Ana ${email.slice(0, 4)}`;
    const { token } = await call<LoginReply>('POST', '/api/auth/register', {
      name,
      email,
      password: PASSWORD,
      invitation,
    });
    return { name, email, token };
  };

  const logIn = async (page: Page, email: string, password = PASSWORD) => {
    await page.goto(`${appUrl}/cms/login`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.waitForURL(/\/cms$/);
    await page.getByRole('heading', { level: 1, name: 'Dashboard' }).waitFor();
  };

  const makePage = (token: string, overrides: Partial<ArticleBody> = {}) =>
    call<PageDetail>(
      'POST',
      '/api/cms/pages',
      { title: freshTitle('Fees'), content: '<p>One.</p>', status: 'DRAFT', ...overrides },
      token,
    );
  /** Saves a page as the owner before the writer does. */
  const overtake = async ({ id, title }: PageDetail) => {
    const body = { title, content: '<p>Theirs.</p>', status: 'DRAFT' };
    await call('PUT', `/api/cms/pages/${id}`, body, await ownerToken());
  };
  const makePost = (token: string, overrides: Record<string, string> = {}) => {
    const form = new FormData();
    const fields = { title: freshTitle('Hours'), content: '<p>One.</p>', status: 'DRAFT', ...overrides };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    return call<PostDetail>('POST', '/api/cms/posts', form, token);
  };

  return {
    owner,
    ownerPassword,
    appUrl,
    call,
    tokenOf,
    ownerToken,
    linkTo,
    makeWriter,
    logIn,
    makePage,
    overtake,
    makePost,
  };
}

/** One writer per test file, and pages that are logged in as this writer. */
export function useWriter(newPage: ReturnType<typeof useBrowser>, writers: ReturnType<typeof useWriters>) {
  const writer = { name: '', email: '', token: '' };
  beforeAll(async () => {
    Object.assign(writer, await writers.makeWriter());
  });
  const writerPage = async (options: Parameters<typeof newPage>[0] = {}): Promise<Page> => {
    const page = await newPage(options);
    await page.addInitScript((token) => localStorage.setItem('cms_token', token), writer.token);
    await page.goto(`${writers.appUrl}/cms/login`);
    await page.waitForURL(`${writers.appUrl}/cms`);
    return page;
  };
  const readPage = (id: string) => writers.call<PageDetail>('GET', `/api/cms/pages/${id}`, undefined, writer.token);
  return { writer, writerPage, readPage };
}

export const VIEWS: [Theme, typeof PHONE][] = [
  ['light', DESKTOP],
  ['dark', PHONE],
];

/** The save button, whose label depends on the effect. */
export const save = (page: Page) =>
  page.getByRole('button', { name: /^(Save draft|Publish|Update|Unpublish|Schedule)$/ });
export const waitForSaved = (page: Page) => page.getByText(/^Saved \d/).waitFor();
export const tool = (page: Page, name: string) => page.getByRole('toolbar').getByRole('button', { name, exact: true });
export const textBox = (page: Page) => page.getByRole('textbox', { name: 'Content' });

/** Opens the editor and waits until it takes input. */
export async function openEditor(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await textBox(page).waitFor();
  await expect.poll(() => textBox(page).getAttribute('contenteditable')).toBe('true');
}
