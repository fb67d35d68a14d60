import type { Page } from 'playwright-core';
import { attacks } from '#tests/support/content/attacks';
import type { useProduct } from '#tests/support/product/product';

type Product = ReturnType<typeof useProduct>;

/** Publishes attacks by writing to the database, which bypasses all cleaning. */
export async function plantAttacks(product: Product, prefix: string, texts = attacks): Promise<string[]> {
  const { $client } = product.installation().db;
  const insert = $client.prepare(
    `INSERT INTO articles (id, kind, slug, title, status, save_id, created_at, updated_at, published_at, updated_by, search, content)
VALUES (?1, 'post', ?1, ?1, 'PUBLISHED', ?1, 0, 0, 0, 'nobody', ?1, ?2)`,
  );
  const slugs = texts.map((_text, at) => `${prefix}${at}`);
  await $client.batch(texts.map((text, at) => insert.bind(slugs[at], text)));
  return slugs;
}

export const removeAttacks = (product: Product, prefix: string) =>
  product.installation().db.$client.prepare('DELETE FROM articles WHERE slug LIKE ?').bind(`${prefix}%`).run();

/**
 * Loads pages in frames of one page, which must have no content policy. Returns the names of those that ran a script.
 */
export const runningFrames = (page: Page, pages: { name: string; html: string }[]): Promise<string[]> =>
  page.evaluate(async (all) => {
    const results = all.map(async ({ name, html }) => {
      const frame = document.createElement('iframe');
      const isLoaded = new Promise((resolve) => {
        frame.addEventListener('load', resolve, { once: true });
      });
      frame.srcdoc = html;
      document.body.appendChild(frame);
      await isLoaded;
      const ran = [window, frame.contentWindow].some((view) => view && Reflect.get(view, 'canary') !== undefined);
      return ran ? [name] : [];
    });
    return (await Promise.all(results)).flat();
  }, pages);
