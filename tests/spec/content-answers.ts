import { taggedPng } from '#tests/support/content/images';
import { ask } from '../whole/answers.ts';

type Product = { appUrl: string; output: string };

/** Logs in as the local owner of the content area and returns the answers of its calls. */
export async function contentAnswers({
  appUrl,
  output,
}: Product): Promise<Record<'login' | 'me' | 'posts' | 'pages' | 'media', unknown>> {
  const [, email = '', password = ''] = /^login (\S+) (\S+)$/m.exec(output) ?? [];
  const login = JSON.parse(
    (
      await ask(appUrl, '/api/auth/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password }),
      })
    ).text,
  ) as { token: string };
  const headers = { authorization: `Bearer ${login.token}` };
  const get = async (path: string) => JSON.parse((await ask(appUrl, path, { headers })).text) as unknown;
  const form = new FormData();
  form.set('file', new File([taggedPng()], 'spec.png', { type: 'image/png' }));
  await fetch(`${appUrl}/api/cms/media/upload`, { method: 'POST', headers, body: form });
  return {
    login,
    me: await get('/api/auth/me'),
    posts: await get('/api/public/posts'),
    pages: await get('/api/public/pages'),
    media: await get('/api/cms/media'),
  };
}
