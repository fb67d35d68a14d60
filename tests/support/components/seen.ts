import { screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, vi } from 'vitest';

const BLOCKS = 'p, li, dt, dd, div, h1, h2, h3, td, th, tr, button, section, figure, summary, label, a';

/** The text as a person reads it, with single spaces, also between parts that stand apart. */
export function textOf(node: Node | null | undefined): string {
  const read = (one: Node): string => {
    if (one.nodeType === Node.TEXT_NODE) return one.textContent ?? '';
    const inside = [...one.childNodes].map(read).join('');
    return one instanceof Element && one.matches(BLOCKS) ? ` ${inside} ` : inside;
  };
  return node ? read(node).replace(/\s+/g, ' ').trim() : '';
}

/** The titles of a list's rows, from above. */
export const titlesOf = (): string[] =>
  [...document.querySelectorAll('tbody tr:not(.row-skeleton) .at-title')].map((cell) =>
    textOf(cell.querySelector('.cut .sr-only') ?? cell.firstChild),
  );

/** A button, once it is there. */
export const button = (name: string | RegExp, inside: HTMLElement = document.body): Promise<HTMLElement> =>
  within(inside).findByRole('button', { name });

/** The row of a list, once its title says this. */
export async function rowOf(title: string): Promise<HTMLElement> {
  const row = (await screen.findByText(title, { selector: 'tbody .at-title *' })).closest('tr');
  if (!row) throw new Error(`no row ${title}`);
  return row;
}

/** Waits until the part that a selector finds says this. */
export const saysIn = (selector: string, words: string | RegExp): Promise<void> =>
  waitFor(() => {
    const said = textOf(document.querySelector(selector));
    if (typeof words === 'string') expect(said).toBe(words);
    else expect(said).toMatch(words);
  });

/** The part with the role of an alert, once it says this. */
export async function alertWith(words: string | RegExp): Promise<HTMLElement> {
  const said = await screen.findByText(words, { selector: '[role=alert] *, [role=alert]' });
  const alert = said.closest<HTMLElement>('[role=alert]');
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

/** The files that the app hands to the browser to be saved. */
export function savedFiles(): { name: string; file: Blob }[] {
  const saved: { name: string; file: Blob }[] = [];
  const made = new Map<string, Blob>();
  const toAddress = vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    made.set(`blob:${made.size}`, file as Blob);
    return `blob:${made.size - 1}`;
  });
  const onClick = (event: Event) => {
    const link = event.target instanceof HTMLAnchorElement ? event.target : null;
    const file = made.get(link?.getAttribute('href') ?? '');
    if (link && file) saved.push({ name: link.download, file });
  };
  const press = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLElement) {
    onClick({ target: this } as unknown as Event);
  });
  onTestFinished(() => {
    toAddress.mockRestore();
    press.mockRestore();
  });
  return saved;
}

/** Where the app sends the whole browser, such as to the login. */
export function leavings(): string[] {
  const to: string[] = [];
  vi.spyOn(window.location, 'assign').mockImplementation((address) => void to.push(String(address)));
  return to;
}
