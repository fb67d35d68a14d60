import { LoginReply, type PublishState } from '#shared/contracts/content/content';
import type { PageDetail, PostDetail } from '#shared/contracts/content/content-answers';
import { bearer } from '../consent.ts';

type Text = { title: string; content?: string; status?: 'DRAFT' | 'PUBLISHED'; slug?: string; excerpt?: string };

/** Logs in as the content owner of a running product and returns calls that write content. */
export async function logInWriter(appUrl: string, output: string) {
  const [, email = '', password = ''] = /^login (\S+) (\S+)$/m.exec(output) ?? [];
  const json = { 'content-type': 'application/json' };
  const answer = await fetch(`${appUrl}/api/auth/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify({ email, password }),
  });
  const { token } = LoginReply.parse(await answer.json());

  const call = async <T>(method: string, path: string, body?: FormData | object): Promise<T> => {
    const isForm = body instanceof FormData;
    const response = await fetch(`${appUrl}/api/cms/${path}`, {
      method,
      headers: { ...bearer(token), ...(body === undefined || isForm ? {} : json) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text) as T;
  };
  const form = ({ title, content = '<p>Some words.</p>', status = 'PUBLISHED', slug, excerpt }: Text) => {
    const fields = new FormData();
    fields.set('title', title);
    fields.set('content', content);
    fields.set('status', status);
    if (slug !== undefined) fields.set('slug', slug);
    if (excerpt !== undefined) fields.set('excerpt', excerpt);
    return fields;
  };

  return {
    token,
    call,
    writePost: (text: Text) => call<PostDetail>('POST', 'posts', form(text)),
    changePost: (id: string, text: Text) => call<PostDetail>('PUT', `posts/${id}`, form(text)),
    deletePost: (id: string) => call<unknown>('DELETE', `posts/${id}`),
    writePage: ({ title, content = '<p>Some words.</p>', status = 'PUBLISHED' }: Text) =>
      call<PageDetail>('POST', 'pages', { title, content, status }),
    publishState: () => call<PublishState>('GET', 'publish'),
    buildNow: () => call<PublishState>('POST', 'publish'),
  };
}

export type Writer = Awaited<ReturnType<typeof logInWriter>>;
