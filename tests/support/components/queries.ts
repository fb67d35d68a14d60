import { screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, vi } from 'vitest';

const BLOCKS = 'p, li, dt, dd, div, h1, h2, h3, td, th, tr, button, section, figure, summary, label, a';

/** The text as a person reads it, with single spaces, also between separate blocks. */
export function textOf(node: Node | null | undefined): string {
  const read = (part: Node): string => {
    if (part.nodeType === Node.TEXT_NODE) return part.textContent ?? '';
    const content = [...part.childNodes].map(read).join('');
    return part instanceof Element && part.matches(BLOCKS) ? ` ${content} ` : content;
  };
  return node ? read(node).replace(/\s+/g, ' ').trim() : '';
}

/** The titles of a list's rows, from top to bottom. */
export const titlesOf = (): string[] =>
  [...document.querySelectorAll('tbody tr:not(.row-skeleton) .at-title')].map((cell) =>
    textOf(cell.querySelector('.cut .sr-only') ?? cell.firstChild),
  );

/** Waits for a button. */
export const button = (name: string | RegExp, inside: HTMLElement = document.body): Promise<HTMLElement> =>
  within(inside).findByRole('button', { name });

/** Waits for the list row with this title. */
export async function rowOf(title: string): Promise<HTMLElement> {
  const row = (await screen.findByText(title, { selector: 'tbody .at-title *' })).closest('tr');
  if (!row) throw new Error(`no row ${title}`);
  return row;
}

/** Waits until the selected element has this text. */
export const waitForTextIn = (selector: string, words: string | RegExp): Promise<void> =>
  waitFor(() => {
    const text = textOf(document.querySelector(selector));
    if (typeof words === 'string') expect(text).toBe(words);
    else expect(text).toMatch(words);
  });

/** Waits for an alert with this text. */
export async function findAlert(words: string | RegExp): Promise<HTMLElement> {
  const element = await screen.findByText(words, { selector: '[role=alert] *, [role=alert]' });
  const alert = element.closest<HTMLElement>('[role=alert]');
  if (!alert) throw new Error('no alert');
  return alert;
}

/** A promise with a function that resolves it. */
export function gate() {
  let open: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { closed, open };
}

/** Collects the files that the app has the browser download. */
export function recordDownloads(): { name: string; file: Blob }[] {
  const downloads: { name: string; file: Blob }[] = [];
  const blobs = new Map<string, Blob>();
  const createUrl = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    blobs.set(`blob:${blobs.size}`, file as Blob);
    return `blob:${blobs.size - 1}`;
  });
  const onClick = (event: Event) => {
    const link = event.target instanceof HTMLAnchorElement ? event.target : null;
    const file = blobs.get(link?.getAttribute('href') ?? '');
    if (link && file) downloads.push({ name: link.download, file });
  };
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLElement) {
    onClick({ target: this } as unknown as Event);
  });
  onTestFinished(() => {
    createUrl.mockRestore();
    click.mockRestore();
  });
  return downloads;
}

/** Collects the URLs to which the app navigates the whole browser, such as the login. */
export function recordNavigations(): string[] {
  const urls: string[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((address) => void urls.push(String(address)));
  return urls;
}
