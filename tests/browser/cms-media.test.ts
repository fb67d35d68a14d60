import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { MediaItem } from '#shared/contracts/content/content';
import { DESKTOP, expectAccessible, PHONE, picture, useBrowser } from '#tests/support/browser/browser';
import { freshJpeg } from '#tests/support/content/images';
import { png } from '#tests/support/content/png';
import { useProduct } from '#tests/support/product/product';
import { freshTitle, save, useWriter, useWriters, VIEWS } from './writer.ts';

const product = useProduct();
const newPage = useBrowser();
const writers = useWriters(product);
const { appUrl } = product;

const { writer, writerPage } = useWriter(newPage, writers);

async function openLibrary(options: Parameters<typeof newPage>[0] = {}) {
  const page = await writerPage(options);
  await page.getByRole('link', { name: 'Media', exact: true }).last().click();
  await page.getByRole('heading', { level: 1, name: 'Media' }).waitFor();
  return page;
}

const file = (name: string, buffer: Buffer, mimeType = 'image/jpeg') => ({ name, mimeType, buffer });

/** Makes a picture in the browser that is wider than all its variants. */
const makeWidePicture = async (page: Awaited<ReturnType<typeof openLibrary>>) =>
  Buffer.from(
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(2000, 1000);
      const context = canvas.getContext('2d');
      if (context) {
        context.fillStyle = '#0d5b45';
        context.fillRect(0, 0, 2000, 1000);
        // Random pixels, because the library rejects a picture that it already has.
        for (const [x, byte] of crypto.getRandomValues(new Uint8Array(12)).entries()) {
          context.fillStyle = `rgb(${byte} 0 0)`;
          context.fillRect(x, 0, 1, 1);
        }
      }
      const blob = await canvas.convertToBlob({ type: 'image/png' });
      return [...new Uint8Array(await blob.arrayBuffer())];
    }),
  );

describe('media library', () => {
  it.each(VIEWS)(
    'stores a picture in three widths, asks for a description and saves it (%s)',
    async (theme, viewport) => {
      const page = await openLibrary({ theme, viewport });
      const name = `${freshTitle('wide')}.png`;
      await page.locator('input[type=file]').setInputFiles(file(name, await makeWidePicture(page), 'image/png'));
      await page.getByRole('dialog').getByText('Describe this image for people who cannot see it.').waitFor();
      await page.getByLabel('Description', { exact: true }).fill('A green field');
      await page.getByRole('button', { name: 'Save description' }).click();
      const card = page.getByRole('listitem').filter({ hasText: name });
      await card.getByText(/^\d+\.\d kB/).waitFor();
      await card.getByText('No description').waitFor({ state: 'detached' });
      await expectAccessible(page);
      await picture(page, `cms-media-${theme}`);
      const items = await writers.call<MediaItem[]>(
        'GET',
        `/api/cms/media?q=${encodeURIComponent(name)}`,
        undefined,
        writer.token,
      );
      const [media] = items.filter(({ originalName }) => originalName === name);
      expect(media).toMatchObject({ alt: 'A green field', width: 2000, height: 1000, isPublic: true });
      expect(media?.variants.map(({ width }) => width).sort((a, b) => a - b)).toEqual([480, 960, 1600]);
      expect(media?.variants.every(({ url }) => url.endsWith('.webp'))).toBe(true);
    },
  );

  it('uploads several files at once, explains a rejected file and can cancel an upload', async () => {
    const page = await openLibrary({ expected: /422/ });
    const [first, second, bad] = ['one', 'two', 'bad'].map((title) => `${freshTitle(title)}.jpg`);
    await page
      .locator('input[type=file]')
      .setInputFiles([
        file(first ?? '', Buffer.from(freshJpeg())),
        file(second ?? '', Buffer.from(freshJpeg())),
        file(bad ?? '', Buffer.from('<html><script>1</script>')),
      ]);
    const uploads = page.getByRole('list', { name: 'Uploads' });
    await uploads.getByText(/Failed to upload file. Please choose a PNG, JPEG, WebP or GIF image, or a PDF./).waitFor();
    await expectAccessible(page);
    for (const name of [first, second])
      await page
        .getByRole('list', { name: 'Files' })
        .getByText(name ?? '')
        .waitFor();
    await uploads.getByRole('button', { name: /^Close/ }).click();
    await uploads.waitFor({ state: 'detached' });

    await page.route('**/api/cms/media/upload', () => undefined);
    const slow = `${freshTitle('slow')}.jpg`;
    await page.locator('input[type=file]').setInputFiles(file(slow, Buffer.from(freshJpeg())));
    await uploads.getByRole('progressbar', { name: `Upload of ${slow}` }).waitFor();
    await uploads.getByRole('button', { name: /^Cancel/ }).click();
    await uploads.waitFor({ state: 'detached' });
  });

  it.each(VIEWS)('reports a file that was already uploaded and shows it (%s)', async (theme, viewport) => {
    const bytes = freshJpeg();
    const form = new FormData();
    const name = `${freshTitle('first')}.jpg`;
    form.set('file', new File([bytes], name, { type: 'image/jpeg' }));
    form.set('alt', 'A desk');
    await writers.call<MediaItem>('POST', '/api/cms/media/upload', form, writer.token);
    const page = await openLibrary({ theme, viewport, expected: /409/ });
    await page.locator('input[type=file]').setInputFiles(file('again.jpg', Buffer.from(bytes)));
    const uploads = page.getByRole('list', { name: 'Uploads' });
    await uploads.getByRole('status').getByText(`The library already has this file, as ${name}.`).waitFor();
    await expectAccessible(page);
    await picture(page, `cms-media-same-${theme}`);
    await uploads.getByRole('button', { name: 'Show it' }).click();
    const sheet = page.getByRole('dialog', { name });
    expect(await sheet.getByLabel('Description', { exact: true }).inputValue()).toBe('A desk');
    expect(await uploads.count()).toBe(0);
  });

  it('lists every uploaded file, even one that arrives while the list is being read', async () => {
    const page = await openLibrary();
    const names = ['sooner', 'later'].map((title) => `${freshTitle(title)}.jpg`);
    const listed = (name: string) => page.getByRole('list', { name: 'Files' }).getByText(name);
    const [first, second] = names.map(listed);
    if (!first || !second) throw new Error('two files are chosen');
    let isFirst = true;
    await page.route('**/api/cms/media/upload', async (route) => {
      if (!isFirst) await first.or(second).waitFor();
      isFirst = false;
      await route.continue();
    });
    await page.locator('input[type=file]').setInputFiles(names.map((name) => file(name, Buffer.from(freshJpeg()))));
    await first.waitFor();
    await second.waitFor();
  });

  it.each([PHONE, DESKTOP])('keeps a tall picture inside its card ($width pixels)', async (viewport) => {
    const form = new FormData();
    const name = `${freshTitle('high')}.png`;
    form.set(
      'file',
      new File([png({ width: 600, height: 1800, pixel: () => [0, 0, viewport.width % 256, 255] })], name, {
        type: 'image/png',
      }),
    );
    await writers.call<MediaItem>('POST', '/api/cms/media/upload', form, writer.token);
    const page = await openLibrary({ viewport });
    await page.getByRole('searchbox').fill(name);
    const card = page.getByRole('listitem').filter({ hasText: name });
    await card.locator('img').evaluate((image: HTMLImageElement) => image.decode());
    const boxOf = async (selector: string) => {
      const box = await card.locator(selector).boundingBox();
      if (!box) throw new Error(`${selector} is not shown`);
      return box;
    };
    const [frame, image] = [await boxOf('.media-frame'), await boxOf('img')];
    const { width = 0 } = (await card.boundingBox()) ?? {};
    expect(frame.width).toBeLessThanOrEqual(width + 1);
    expect(frame.height / frame.width).toBeCloseTo(3 / 4, 1);
    expect(image.height).toBeLessThanOrEqual(frame.height);
  });

  it('shows where a file is used before it is deleted', async () => {
    const form = new FormData();
    const name = `${freshTitle('used')}.jpg`;
    form.set('file', new File([freshJpeg()], name, { type: 'image/jpeg' }));
    const media = await writers.call<MediaItem>('POST', '/api/cms/media/upload', form, writer.token);
    const article = await writers.makePage(writer.token, { content: `<p><img src="${media.localUrl}" alt="x"></p>` });
    const page = await openLibrary();
    await page.getByRole('searchbox').fill(name);
    await page.getByRole('button', { name }).click();
    await page.getByRole('button', { name: 'Delete file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this file?' });
    await dialog.getByRole('link', { name: article.title }).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Delete file' }).click();
    await page.getByText(`No file matches "${name}".`).waitFor();
    expect((await fetch(`${appUrl}${media.localUrl}`)).status).toBe(404);
  });
});

const WORDS = {
  post: {
    ask: 'Are you sure you want to delete this post?',
    remove: 'Failed to delete post',
    save: 'Failed to save post',
    fetchOne: 'Failed to fetch post',
    fetchMany: 'Failed to fetch posts',
  },
  page: {
    ask: 'Are you sure you want to delete this page?',
    remove: 'Failed to delete page',
    save: 'Failed to save page',
    fetchOne: 'Failed to fetch page',
    fetchMany: 'Failed to fetch pages',
  },
};

describe('list of articles', () => {
  it.each(VIEWS)(
    'shows states as badges, searches, and asks for confirmation before deleting (%s)',
    async (theme, viewport) => {
      const draft = await writers.makePage(writer.token);
      const live = await writers.makePage(writer.token, { status: 'PUBLISHED', title: freshTitle('Imprint') });
      const page = await openLibrary({ theme, viewport });
      await page.goto(`${appUrl}/cms/pages`);
      await page.getByRole('searchbox').fill(live.slug);
      await page.getByRole('link', { name: live.title, exact: true }).waitFor();
      await page.getByRole('row').filter({ hasText: live.slug }).getByText('PUBLISHED', { exact: true }).waitFor();
      await page.getByRole('searchbox').fill(draft.slug);
      await page.getByRole('link', { name: draft.title, exact: true }).waitFor();
      await page.getByRole('row').filter({ hasText: draft.slug }).getByText('DRAFT', { exact: true }).waitFor();
      // The unfiltered list has both pages, so the search is done once the other page is gone.
      await page.getByRole('link', { name: live.title, exact: true }).waitFor({ state: 'detached' });
      await picture(page, `cms-list-${theme}`);
      await page.getByRole('button', { name: `Delete ${draft.title}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this page?' });
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Delete page' }).click();
      await page.getByText(`No page matches "${draft.slug}".`).waitFor();
      await page.getByRole('button', { name: 'Clear search' }).click();
      await page.getByRole('navigation', { name: 'Pages of pages' }).getByText(/^1-/).waitFor();
    },
  );

  it('keeps its row height when the rows load, and gives all its fields the same height', async () => {
    const title = freshTitle('Prices');
    for (const _ of [1, 2, 3]) await writers.makePage(writer.token, { title });
    const page = await openLibrary();
    const heights = (selector: string) =>
      page.locator(selector).evaluateAll((all) => [...new Set(all.map((part) => part.getBoundingClientRect().height))]);
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/cms/pages?*', async (route) => {
      await isReleased;
      await route.fallback();
    });
    await page.goto(`${appUrl}/cms/pages?q=${title.split(' ')[1]}`);
    await page.locator('.skeleton').first().waitFor();
    const before = await heights('tbody tr:not(:first-child)');
    release();
    await page.getByRole('link', { name: title, exact: true }).first().waitFor();
    expect(await heights('tbody tr:not(:first-child)')).toEqual(before);
    expect(await heights('.list-tools :is(.search input, .cms-status-filter select)')).toEqual([40]);
    expect(await heights('.pager :is(input, select, button)')).toEqual([40]);
  });

  it('has touch targets large enough for a finger', async () => {
    const article = await writers.makePost(writer.token, { status: 'PUBLISHED' });
    const page = await openLibrary({ viewport: PHONE, hasTouch: true, isMobile: true });
    const size = async (target: Locator) => {
      await target.waitFor();
      const { width, height } = (await target.boundingBox()) ?? { width: 0, height: 0 };
      return Math.min(width, height);
    };
    await page.goto(`${appUrl}/cms/posts?q=${article.slug}`);
    const edit = page.getByRole('link', { name: `Edit ${article.title}` });
    expect(await size(edit)).toBeGreaterThanOrEqual(44);
    expect(await size(page.getByRole('button', { name: `Delete ${article.title}` }))).toBeGreaterThanOrEqual(44);
    await edit.tap();
    expect(await size(page.getByRole('link', { name: 'View on the site' }))).toBeGreaterThanOrEqual(44);
    await page.goto(`${appUrl}/blog/${article.slug}`);
    expect(await size(page.getByRole('main').getByRole('link', { name: 'Blog' }))).toBeGreaterThanOrEqual(44);
  });

  it('shows a message when the list is empty and when it cannot be loaded', async () => {
    const page = await openLibrary({ expected: /500/ });
    await page.route('**/api/cms/pages?*', (route) => route.fulfill({ json: [], headers: { 'x-total-count': '0' } }));
    await page.goto(`${appUrl}/cms/pages`);
    await page.getByText('No pages found').waitFor();
    // The pager has no buttons but still shows the count.
    expect(await page.getByRole('button', { name: /^(First|Previous|Next|Last) page$/ }).count()).toBe(0);
    await page.getByRole('status').getByText('0 of 0').waitFor();
    await page.unroute('**/api/cms/pages?*');
    await page.route('**/api/cms/posts?*', (route) =>
      route.fulfill({ status: 500, json: { error: { code: 'internal', message: 'Something went wrong.' } } }),
    );
    await page.goto(`${appUrl}/cms/posts`);
    await page.getByRole('alert').getByText('Failed to fetch posts').waitFor();
    await expectAccessible(page);
    await page.unroute('**/api/cms/posts?*');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it.each(['post', 'page'] as const)(
    'shows the specified message when reading, saving or deleting fails: %s',
    async (kind) => {
      const article = await (kind === 'post' ? writers.makePost(writer.token) : writers.makePage(writer.token));
      const form = new FormData();
      const name = `${freshTitle('kept')}.jpg`;
      form.set('file', new File([freshJpeg()], name, { type: 'image/jpeg' }));
      await writers.call<MediaItem>('POST', '/api/cms/media/upload', form, writer.token);
      const page = await openLibrary({ expected: /50[02]|404|ERR_FAILED/ });
      const broken = { status: 500, json: { error: { code: 'internal', message: 'Something went wrong.' } } };
      const refuse = (methods: string) =>
        page.route(/\/api\/cms\/(posts|pages|media)/, (route) =>
          methods.includes(route.request().method()) ? route.fulfill(broken) : route.fallback(),
        );
      const allow = () => page.unroute(/\/api\/cms\/(posts|pages|media)/);

      await page.getByRole('searchbox').fill(name);
      await page.getByRole('button', { name }).click();
      await refuse('DELETE');
      await page.getByRole('button', { name: 'Delete file' }).click();
      const fileDialog = page.getByRole('dialog', { name: 'Are you sure you want to delete this file?' });
      await fileDialog.getByRole('button', { name: 'Delete file' }).click();
      await fileDialog.getByText('Failed to delete file. Something went wrong.').waitFor();

      await page.goto(`${appUrl}/cms/${kind}s?q=${article.slug}`);
      await page.getByRole('button', { name: `Delete ${article.title}` }).click();
      const dialog = page.getByRole('dialog', { name: WORDS[kind].ask });
      await dialog.getByRole('button', { name: `Delete ${kind}` }).click();
      await dialog.getByText(`${WORDS[kind].remove}. Something went wrong.`).waitFor();
      await allow();

      await page.goto(`${appUrl}/cms/${kind}s/edit/${article.id}`);
      await page.getByRole('textbox', { name: 'Content' }).waitFor();
      await page.route('**/api/cms/*/*', (route) =>
        route.request().method() === 'PUT' ? route.abort() : route.fallback(),
      );
      await save(page).click();
      await page.getByRole('alert').getByText(WORDS[kind].save).waitFor();
      await page.unroute('**/api/cms/*/*');
      // A proxy between browser and server may answer with its own text.
      await page.route('**/api/cms/*/*', (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
          : route.fallback(),
      );
      await save(page).click();
      await page
        .getByRole('alert')
        .filter({ hasText: new RegExp(`^${WORDS[kind].save}.*The answer could not be read`) })
        .waitFor();
      await page.unroute('**/api/cms/*/*');

      await refuse('GET');
      for (const [path, text] of [
        [`/cms/${kind}s/edit/${article.id}`, WORDS[kind].fetchOne],
        [`/cms/${kind}s`, WORDS[kind].fetchMany],
        ['/cms/media', 'Failed to fetch media files'],
      ]) {
        await page.goto(`${appUrl}${path}`);
        await page.getByText(text ?? '', { exact: true }).waitFor();
      }
    },
  );
});
