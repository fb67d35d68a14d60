import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type LoginReply, MediaItem } from '#shared/contracts/content/content';
import type { PostDetail, PublicPost } from '#shared/contracts/content/content-answers';
import { bearer, consent, Jar } from '#tests/support/consent';
import { hostileFiles, jpeg, PLACE } from '#tests/support/content/images';
import { until, useProduct } from '#tests/support/product/product';
import { type Answer, answerOf, ask, expectError, expectPrivate, payerAddress } from './answers.ts';
import { installationSql } from './expect-money.ts';
import { callsOf, STAFF, WRITERS } from './routes.ts';

const product = useProduct();
const { appUrl } = product;
const PASSWORD = 'eleven gentle otters';
const [, owner = '', ownerPassword = ''] = /^login (\S+) (\S+)$/m.exec(product.output) ?? [];

let ownerToken: string;
let editorToken: string;
let wrongTokens: Record<string, string>;

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${appUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...payerAddress(), ...headers },
    body: JSON.stringify(body),
  });

async function tokenFrom(answer: Promise<Response>): Promise<string> {
  const response = await answer;
  const text = await response.text();
  const { token } = JSON.parse(text) as Partial<LoginReply>;
  if (!token) throw new Error(`no token: ${response.status} ${text}`);
  return token;
}

const logIn = () => tokenFrom(post('/api/auth/login', { email: owner, password: ownerPassword }));
const register = (email: string, fields: object = {}) =>
  tokenFrom(post('/api/auth/register', { name: 'Ada Young', email, password: PASSWORD, ...fields }));
const freshEmail = () => `${crypto.randomUUID().slice(0, 8)}@clinic.example`;

async function merchantToken(): Promise<string> {
  const jar = new Jar();
  const get = async (path: string) =>
    jar.take(await fetch(`${appUrl}${path}`, { redirect: 'manual', headers: jar.header }));
  const callback = await consent(new URL((await get('/oauth/start')).headers.get('location') ?? ''), 0);
  await get(`${callback.pathname}${callback.search}`);
  return jar.cookies.get('authToken') ?? '';
}

async function inviteEditor(): Promise<string> {
  const email = freshEmail();
  await post('/api/cms/users/invitations', { email, role: 'editor' }, bearer(ownerToken));
  const [mail] = await until(
    () => product.mailTo(email),
    (mails) => mails.length > 0,
  );
  const invitation = /#invitation=([\w-]+)/.exec(mail?.text ?? '')?.[1];
  return register(email, { invitation });
}

beforeAll(async () => {
  ownerToken = await logIn();
  editorToken = await inviteEditor();
  const loggedOut = await logIn();
  await post('/api/auth/logout', {}, bearer(loggedOut));
  const removed = await inviteEditor();
  const account = `${appUrl}/api/cms/users/${decodeJwt(removed).sub}`;
  expect((await fetch(account, { method: 'DELETE', headers: bearer(ownerToken) })).status).toBe(200);
  const { jti: id = '', sub: subject = '' } = decodeJwt(ownerToken);
  const { signed } = product.installation();
  wrongTokens = {
    nothing: '',
    nonsense: 'a.b.c',
    'a merchant’s token': await merchantToken(),
    'a token that was logged out': loggedOut,
    'a token of sixteen minutes ago': await signed.content.issue({ id, subject }, Date.now() - 16 * 60_000),
    'a token of a removed account': removed,
    'the link of a preview': await signed.preview.issue({ id, subject, more: { kind: 'post' } }, Date.now()),
    'the mark of a browser that has logged in': await signed.device.issue({ id, subject }, Date.now()),
    'a waiting account’s token': await register(freshEmail()),
    'the token of a registration with a known address': await register(owner),
  };
});

/** From the permissions, so that none is forgotten, plus one route that they lack. */
const ROUTES = [
  ...callsOf(WRITERS).map(({ method, path }): [string, string] => [method, path]),
  ['GET', '/api/cms/nothing'] as const,
];
const OWNERS = callsOf(['owner']);

/** A body that the route would accept from an allowed caller. */
const bodyFor = (path: string) => {
  const text = { title: 'Planted', content: '<p>x</p>', status: 'PUBLISHED' };
  if (!/posts$|posts\/1$|upload$/.test(path)) {
    const fields = { email: 'planted@clinic.example', role: 'owner', alt: 'Planted' };
    return { headers: { 'content-type': 'application/json' }, body: JSON.stringify({ ...text, ...fields }) };
  }
  const part = (name: string, value: string) =>
    `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--x\r\ncontent-disposition: form-data; name="file"; filename="a.gif"\r\ncontent-type: image/gif\r\n\r\nGIF89a\r\n`;
  const fields = Object.entries(text).map(([name, value]) => part(name, value));
  return { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: `${fields.join('')}${file}--x--\r\n` };
};

const call = (method: string, path: string, token: string): Promise<Answer> => {
  const request = method === 'POST' || method === 'PUT' ? bodyFor(path) : { headers: {} };
  return ask(appUrl, path, { method, ...request, headers: { ...request.headers, ...(token ? bearer(token) : {}) } });
};

/** Everything that the content area stores, except sessions. */
const storedContent = () =>
  Promise.all(
    [
      'articles',
      'article_drafts',
      'article_revisions',
      'article_schedules',
      'article_slugs',
      'article_media',
      'media',
      'content_users',
      'content_invitations',
      'content_setup',
      'site_state',
    ].map((table) => installationSql(product, `SELECT * FROM ${table}`)),
  );

describe('the content area', () => {
  it('refuses every invalid token on every route and writes nothing', async () => {
    // Six routes each for two kinds of articles, then files, accounts and builds. A shorter list would test nothing.
    expect(ROUTES.length).toBeGreaterThan(35);
    const contentBefore = await storedContent();
    const accepted: string[] = [];
    for (const [name, token] of Object.entries(wrongTokens)) {
      const isWaiting = /waiting|known/.test(name);
      for (const [method, path] of ROUTES) {
        const answer = await call(method, path, token);
        expectPrivate(answer);
        if (answer.status !== (isWaiting ? 403 : 401)) accepted.push(`${name}: ${method} ${path} ${answer.status}`);
      }
    }
    expect(accepted).toEqual([]);
    expect(await storedContent()).toEqual(contentBefore);
  });

  it('lets an editor use all but the owner’s routes, and no merchant call', async () => {
    for (const { method, path } of OWNERS) expectError(await call(method, path, editorToken), 403);
    for (const path of ['/api/cms/posts', '/api/cms/pages', '/api/cms/media', '/api/cms/publish'])
      expect((await call('GET', path, editorToken)).status, path).toBe(200);
    for (const { method, path } of callsOf(STAFF)) expectError(await call(method, path, editorToken), 401);
    expectError(await ask(appUrl, `/api/token/status/${editorToken}`), 401);
  });

  it('redirects everyone else to its login, including a merchant', async () => {
    const merchant = { cookie: `authToken=${wrongTokens['a merchant’s token']}` };
    for (const headers of [{}, merchant, { cookie: 'content=x; content-pass=a.b.c' }]) {
      for (const path of ['/cms', '/cms/posts', '/cms/posts/edit/1', '/cms/anything']) {
        const answer = await ask(appUrl, path, { headers });
        expect([answer.status, answer.headers.get('location')], path).toEqual([303, '/cms/login']);
      }
    }
  });

  it('lets only the builder report on a build', async () => {
    for (const token of ['', ownerToken, 'guessed'])
      expectError(
        await ask(appUrl, '/api/internal/builds/latest', {
          method: 'POST',
          headers: { 'content-type': 'application/json', ...(token ? bearer(token) : {}) },
          body: JSON.stringify({ state: 'built', revision: 1 }),
        }),
        401,
      );
  });
});

describe('hostile uploads', () => {
  it.each(hostileFiles)('refuses %s, sent as %s', async (name, type, bytes) => {
    const form = new FormData();
    form.set('file', new File([bytes], name, { type }));
    const answer = await answerOf(
      await fetch(`${appUrl}/api/cms/media/upload`, { method: 'POST', headers: bearer(editorToken), body: form }),
    );
    expectError(answer, 422);
  });
});

describe('a post', () => {
  it('goes from the form to the public call, without the place where its photo was taken', async () => {
    const form = new FormData();
    const title = `Walked through ${crypto.randomUUID().slice(0, 6)}`;
    const fields = { title, content: '<p onclick="x">Hello <b>there</b></p><script>x</script>', status: 'PUBLISHED' };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('featuredImage', new File([jpeg({ orientation: 6 })], 'photo.jpg', { type: 'image/jpeg' }));
    const headers = bearer(editorToken);
    const created = await fetch(`${appUrl}/api/cms/posts`, { method: 'POST', headers, body: form });
    expect(created.status).toBe(201);
    const { id, slug, featuredImage } = (await created.json()) as PostDetail;
    const publicPost = (await (await fetch(`${appUrl}/api/public/posts/${slug}`)).json()) as PublicPost;
    expect(publicPost).toMatchObject({
      id,
      title,
      content: '<p>Hello <b>there</b></p>',
      status: 'PUBLISHED',
      featuredImage,
    });
    const picture = await fetch(`${appUrl}${featuredImage}`);
    expect(picture.headers.get('content-type')).toBe('image/jpeg');
    expect(picture.headers.get('cache-control')).toContain('immutable');
    expect(Buffer.from(await picture.arrayBuffer()).toString('latin1')).not.toContain(PLACE);
    const media = z.array(MediaItem).parse(await (await fetch(`${appUrl}/api/cms/media?q=photo`, { headers })).json());
    expect(media.find(({ localUrl }) => localUrl === featuredImage)?.usedIn).toMatchObject([{ id, title }]);
    expect((await fetch(`${appUrl}/api/cms/posts/${id}`, { method: 'DELETE', headers })).status).toBe(200);
    expectError(await ask(appUrl, `/api/public/posts/${slug}`), 404, 'Post not found');
  });

  it('returns 404 for a post or page that does not exist', async () => {
    expectError(await ask(appUrl, '/api/public/posts/nobody-wrote-this'), 404, 'Post not found');
    expectError(await ask(appUrl, '/api/public/pages/nobody-wrote-this'), 404, 'Page not found');
  });
});
