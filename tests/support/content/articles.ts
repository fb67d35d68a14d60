import type { PageDetail, PostDetail } from '#shared/contracts/content/content-answers';
import type { ArticleBody } from '#shared/contracts/content/content-request';
import type { ContentApp } from '#tests/support/content/content';

type PostFields = Partial<Record<keyof ArticleBody, string | number>>;

export const text = { title: 'Why patients pay late', content: '<p>Because.</p>', status: 'DRAFT' } as const;

export function form(fields: PostFields, files: [string, File][] = []): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, String(value));
  for (const [name, file] of files) data.append(name, file);
  return data;
}

/** A writer's calls for articles. `currentWriter` is called each time, so every test may have its own app. */
export function articlesOf(currentWriter: () => { app: ContentApp; token: string }) {
  const makePost = (fields: PostFields = {}, token = currentWriter().token) =>
    currentWriter().app.get<PostDetail>(201, 'POST', '/api/cms/posts', { token, body: form({ ...text, ...fields }) });
  const makePage = (fields: Partial<ArticleBody> = {}) => {
    const { app, token } = currentWriter();
    return app.get<PageDetail>(201, 'POST', '/api/cms/pages', { token, body: { ...text, ...fields } });
  };
  const putPage = (id: string, body: object, headers: Record<string, string> = {}) => {
    const { app, token } = currentWriter();
    return app.call('PUT', `/api/cms/pages/${id}`, { token, body: { ...text, ...body }, headers });
  };
  const openPage = (id: string) => {
    const { app, token } = currentWriter();
    return app.get<PageDetail>(200, 'GET', `/api/cms/pages/${id}`, { token });
  };
  return { makePost, makePage, putPage, openPage };
}
