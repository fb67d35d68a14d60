import type { LoginReply, MediaItem, PreviewReply, UsersReply } from '#shared/contracts/content/content';
import { Jar } from '#tests/support/consent';
import { form } from '#tests/support/content/articles';
import { type ContentApp, linkIn, PASSWORD } from '#tests/support/content/content';
import { fileOf, mediaForm } from '#tests/support/content/media';
import { png } from '#tests/support/content/png';
import { testSettings } from '#tests/support/unit/settings';
import { siteBuilds } from '#worker/data/schema/content';
import { type Authenticator, makeAuthenticator } from '../operator/authenticator.ts';
import type { Ask } from './asker.ts';

type Options = Parameters<Authenticator['show']>[0];

const NEW_PASSWORD = 'seven patient herons';

/** Accounts: registration, login, password reset and invitations. Returns the owner's token. */
export async function accountCalls(ask: Ask, app: ContentApp): Promise<string> {
  const { email, token } = await app.makeOwner();
  const jar = new Jar();
  const login = await ask<LoginReply>('POST /api/auth/login', { body: { email, password: PASSWORD } });
  jar.take(login.response);
  await ask('GET /api/auth/me', { token });
  await ask('POST /api/auth/refresh', { headers: jar.header });
  await ask('GET /cms/login');
  await ask('GET /cms', { headers: jar.header });
  await ask('GET /cms/*', { path: '/cms/posts', headers: jar.header });

  const [guest, joiner] = [app.freshEmail(), app.freshEmail()];
  const invite = (to: string) =>
    ask<{ id: string }>('POST /api/cms/users/invitations', { token, body: { email: to, role: 'editor' }, status: 201 });
  await invite(guest);
  const invitation = linkIn(app.mails, guest);
  await ask('POST /api/auth/invitation', { body: { invitation } });
  const body = { name: 'Ada Young', email: guest, password: PASSWORD, invitation };
  const joined = await ask<LoginReply>('POST /api/auth/register', { body, status: 201 });
  const revokedId = (await invite(joiner)).data.id;
  await ask('DELETE /api/cms/users/invitations/:id', { path: `/api/cms/users/invitations/${revokedId}`, token });
  await app.register({ email: joiner });
  await ask('GET /api/cms/audit', { token });
  await ask('GET /api/cms/audit/head', { token });
  const { users } = (await ask<UsersReply>('GET /api/cms/users', { token })).data;
  const idOf = (address: string) => users.find((user) => user.email === address)?.id;
  const role = { role: 'editor' };
  await ask('POST /api/cms/users/:id/approve', { path: `/api/cms/users/${idOf(joiner)}/approve`, token, body: role });
  await ask('PUT /api/cms/users/:id', { path: `/api/cms/users/${idOf(joiner)}`, token, body: { role: 'owner' } });
  await ask('DELETE /api/cms/users/:id', { path: `/api/cms/users/${idOf(joiner)}`, token });

  await ask('POST /api/auth/forgot', { body: { email: guest }, status: 202 });
  const reset = linkIn(app.mails, guest);
  await ask('POST /api/auth/reset', { body: { reset, password: NEW_PASSWORD }, status: 204 });
  const change = { current: PASSWORD, password: NEW_PASSWORD };
  await ask('PUT /api/auth/password', { token, body: change, status: 204 });
  await secondFactorCalls(ask, { email, token });
  await ask('POST /api/auth/logout', { token: joined.data.token, status: 204 });
  return token;
}

/** Second factor: registers, uses and removes a passkey. */
async function secondFactorCalls(ask: Ask, { email, token }: { email: string; token: string }): Promise<void> {
  const key = await makeAuthenticator();
  const jar = new Jar();
  const start = await ask<{ options: Options }>('POST /api/auth/passkeys/options', {
    token,
    body: { password: NEW_PASSWORD },
  });
  jar.take(start.response);
  const body = { label: 'Laptop', credential: await key.make(start.data.options) };
  await ask('POST /api/auth/passkeys', { token, body, headers: jar.header, status: 201 });
  const first = await ask<{ second: Options }>('POST /api/auth/login', {
    body: { email, password: NEW_PASSWORD },
    status: 202,
  });
  jar.take(first.response);
  const proof = { credential: await key.show(first.data.second) };
  await ask('POST /api/auth/second', { body: proof, headers: jar.header });
  await ask('GET /api/auth/passkeys', { token });
  await ask('POST /api/auth/recovery-codes', { token, status: 201 });
  await ask('DELETE /api/auth/passkeys/:id', { token, path: `/api/auth/passkeys/${key.id}`, status: 204 });
}

/** Creates a hundred long posts and pages, and a library of a hundred files. */
export async function fillContent(app: ContentApp, token: string): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const content = `<h2>Part ${n}</h2>${'<p>Patients pay late because nobody asked.</p>'.repeat(200)}`;
    const text = { title: `Number ${n} of spring`, content, status: n % 5 === 0 ? 'DRAFT' : 'PUBLISHED' };
    await app.get(201, 'POST', '/api/cms/posts', { token, body: form(text) });
    await app.get(201, 'POST', '/api/cms/pages', { token, body: text });
    const picture = fileOf(png({ width: 8, height: 8 + n }), `picture-${n}.png`);
    await app.get(201, 'POST', '/api/cms/media/upload', { token, body: mediaForm(picture, { alt: `Picture ${n}` }) });
  }
  await app.settled();
}

const picture = (name: string, height = 400) => fileOf(png({ width: 600, height }), name);

/** Media library. Returns the uploaded item. */
export async function libraryCalls(ask: Ask, token: string): Promise<MediaItem> {
  const copy = fileOf(png({ width: 300, height: 200 }), 'narrow.png');
  const body = mediaForm(picture('desk.png'), { alt: 'A desk', variants: [copy] });
  const { data: item } = await ask<MediaItem>('POST /api/cms/media/upload', { token, body, status: 201 });
  await ask('GET /api/cms/media', { token });
  await ask('GET /api/cms/media', { path: '/api/cms/media?q=picture&page=2', token });
  await ask('GET /api/cms/media/:id', { path: `/api/cms/media/${item.id}`, token });
  await ask('PUT /api/cms/media/:id', { path: `/api/cms/media/${item.id}`, token, body: { alt: 'A tidy desk' } });
  await ask('GET /media/:key', { path: item.localUrl });
  return item;
}

/** Posts and pages, from their creation to the trash. The articles show `image`, which is deleted at the end. */
export async function articleCalls(ask: Ask, token: string, image: MediaItem): Promise<void> {
  const content = `<p>Hello</p><p><img src="${image.localUrl}" alt=""></p>${'<p>Because.</p>'.repeat(500)}`;
  for (const kind of ['post', 'page'] as const) {
    const listPath = `/api/cms/${kind}s`;
    const text = { title: `A ${kind} about fees`, content, status: 'PUBLISHED', slug: `fees-${kind}` };
    const body = kind === 'post' ? form(text, [['featuredImage', picture('front.png', 401)]]) : text;
    const article = (await ask<{ id: string; version: number }>(`POST ${listPath}`, { token, body, status: 201 })).data;
    const [route, path] = [`${listPath}/:id`, `${listPath}/${article.id}`];
    const update = { ...text, title: `${text.title}, again`, slug: `new-fees-${kind}` };
    await ask(`PUT ${route}`, { path, token, body: kind === 'post' ? form(update) : update });
    await ask(`GET ${listPath}`, { token });
    await ask(`GET ${listPath}`, { path: `${listPath}?q=number&view=rows&page=3`, token });
    await ask(`GET ${route}`, { path, token });
    const draft = { title: 'Half', content, slug: '', baseVersion: 2, savedAt: new Date().toISOString() };
    await ask(`PUT ${route}/draft`, { path: `${path}/draft`, token, body: draft });
    await ask(`GET ${route}/draft`, { path: `${path}/draft`, token });
    const preview = await ask<PreviewReply>(`POST ${route}/preview`, { path: `${path}/preview`, token, body: {} });
    const previewPath = new URL(preview.data.url).pathname;
    await ask('GET /preview/:token', { path: previewPath });
    await ask('GET /api/public/preview/:token', { path: previewPath.replace('/preview/', '/api/public/preview/') });
    await ask(`DELETE ${route}/draft`, { path: `${path}/draft`, token });
    await ask(`GET ${route}/revisions`, { path: `${path}/revisions`, token });
    await ask(`GET ${route}/revisions/:version`, { path: `${path}/revisions/1`, token });
    await ask(`POST ${route}/revisions/:version/restore`, { path: `${path}/revisions/1/restore`, token, body: {} });

    const publicPath = kind === 'post' ? '/blog' : '/pages';
    await ask(`GET /api/public/${kind}s`);
    await ask(`GET /api/public/${kind}s`, { path: `/api/public/${kind}s?page=3` });
    for (const [slug, status] of [
      ['fees', 301],
      ['new-fees', 200],
    ] as const) {
      await ask(`GET /api/public/${kind}s/:slug`, { path: `/api/public/${kind}s/${slug}-${kind}`, status });
      await ask(`GET ${publicPath}/:slug`, { path: `${publicPath}/${slug}-${kind}`, status });
    }
    await ask(`GET ${publicPath}/:slug/`, { path: `${publicPath}/new-fees-${kind}/`, status: 307 });
    await ask(`GET ${publicPath}/*`, { path: `${publicPath}/of/nobody`, status: 404 });
    await ask(`DELETE ${route}`, { path, token });
    await ask(`GET ${listPath}`, { path: `${listPath}?view=trash`, token });
    await ask(`POST ${route}/bring-back`, { path: `${path}/bring-back`, token, body: {} });
  }
  await ask('DELETE /api/cms/media/:id', { path: `/api/cms/media/${image.id}`, token });
}

/** Publishing. Needs an app with a site builder. */
export async function publishCalls(ask: Ask, { deps }: Pick<ContentApp, 'deps'>, token: string): Promise<void> {
  await ask('POST /api/cms/publish', { token, body: {} });
  await ask('GET /api/cms/publish', { token });
  const build = await deps.installation.select().from(siteBuilds).get();
  await ask('POST /api/internal/builds/:build', {
    path: `/api/internal/builds/${build?.id}`,
    headers: { authorization: `Bearer ${testSettings('').BUILD_SECRET}` },
    body: { state: 'building', progress: 41, step: 'Pages 5 of 12' },
    status: 204,
  });
}
