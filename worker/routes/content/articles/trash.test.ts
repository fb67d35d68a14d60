import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Trashed } from '#shared/contracts/content/content';
import type { PageDetail, PageItem } from '#shared/contracts/content/content-answers';
import { articlesOf } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { applySchedule } from '#worker/domain/content/articles/schedule';
import { applyRetention } from '#worker/domain/retention/apply-retention';

const DAY = 86_400_000;
let app: ContentApp;
let token: string;
beforeEach(async () => {
  app = makeContentApp();
  token = (await app.makeOwner()).token;
});
const { makePage, putPage, openPage } = articlesOf(() => ({ app, token }));
const listPages = () => app.get<PageItem[]>(200, 'GET', '/api/cms/pages', { token });
const listTrash = () => app.get<Trashed[]>(200, 'GET', '/api/cms/pages?view=trash', { token });
const deletePage = (id: string) => app.get(200, 'DELETE', `/api/cms/pages/${id}`, { token });
const restoreArticle = (id: string) => app.get<PageDetail>(200, 'POST', `/api/cms/pages/${id}/bring-back`, { token });
const actionsOn = async (id: string) => {
  const { results } = await env.INSTALLATION.prepare(
    'SELECT action FROM audit_events WHERE subject_id = ? ORDER BY seq',
  )
    .bind(id)
    .all<{ action: string }>();
  return results.map(({ action }) => action);
};

describe('a deleted page', () => {
  it('is in the trash, off the site and closed to other calls, and is restored as a draft with history', async () => {
    const page = await makePage({ status: 'PUBLISHED', endsAt: new Date(app.clock.now + DAY).toISOString() });
    app.clock.now += 1000;
    await deletePage(page.id);
    expect([await listPages(), await listTrash()]).toEqual([
      [],
      [{ id: page.id, title: page.title, slug: page.slug, trashedAt: new Date(app.clock.now).toISOString() }],
    ]);
    const statuses = [
      app.call('GET', `/api/public/pages/${page.slug}`),
      app.call('GET', `/api/cms/pages/${page.id}`, { token }),
      app.call('DELETE', `/api/cms/pages/${page.id}`, { token }),
      app.call('POST', `/api/cms/pages/${page.id}/preview`, { token }),
      app.call('POST', `/api/cms/pages/${page.id}/revisions/1/restore`, { token }),
      putPage(page.id, { title: 'Late' }),
      app.call('POST', `/api/cms/posts/${page.id}/bring-back`, { token }),
    ];
    expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404]);
    expect(await restoreArticle(page.id)).toMatchObject({
      slug: page.slug,
      title: page.title,
      status: 'DRAFT',
      publishedAt: page.publishedAt,
      endsAt: null,
    });
    expect(await app.get(200, 'GET', `/api/cms/pages/${page.id}/revisions`, { token })).toHaveLength(1);
    expect((await app.call('POST', `/api/cms/pages/${page.id}/bring-back`, { token })).status).toBe(404);
    expect(await listTrash()).toEqual([]);
    expect(await actionsOn(page.id)).toEqual(['article.published', 'article.deleted', 'article.restored']);
  });

  it('frees its address for another page, and is restored at a new address', async () => {
    const page = await makePage();
    await deletePage(page.id);
    const otherPage = await makePage();
    expect(otherPage.slug).toBe(page.slug);
    expect((await restoreArticle(page.id)).slug).toBe(`${page.slug}-${page.id.slice(0, 8)}`);
    expect((await openPage(otherPage.id)).slug).toBe(page.slug);
  });

  it('does not go live at its scheduled time', async () => {
    const page = await makePage({ startsAt: new Date(app.clock.now + 60_000).toISOString() });
    await deletePage(page.id);
    app.clock.now += 120_000;
    await applySchedule(app.installation, page.id);
    expect(await listTrash()).toHaveLength(1);
    expect((await restoreArticle(page.id)).status).toBe('DRAFT');
  });

  it('is deleted for good with its versions after 30 days', async () => {
    const page = await makePage();
    await deletePage(page.id);
    const countRows = () =>
      env.INSTALLATION.prepare(
        'SELECT (SELECT count(*) FROM articles) + (SELECT count(*) FROM article_revisions) AS n',
      ).first<number>('n');
    app.clock.now += 30 * DAY - 1;
    await applyRetention(app.installation);
    expect(await countRows()).toBe(2);
    app.clock.now += DAY;
    await applyRetention(app.installation);
    expect(await countRows()).toBe(0);
  });
});
