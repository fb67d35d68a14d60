import { hubs } from '#sandbox/credentials';

/** The cookies of one browser. */
export class Jar {
  readonly cookies = new Map<string, string>();

  take(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  get header(): Record<string, string> {
    const text = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    return text === '' ? {} : { cookie: text };
  }
}

/**
 * Acts as a person on the consent page: picks account and user, grants or denies. Returns the browser's next URL.
 */
export async function consent(
  authorize: URL,
  accountIndex: 0 | 1 | 2,
  decision: 'grant' | 'deny' = 'grant',
  userIndex: 0 | 1 = 0,
): Promise<URL> {
  const account = hubs[accountIndex];
  const form = new URLSearchParams(authorize.searchParams);
  form.set('hub_id', String(account.hubId));
  form.set('user_id', String(account.users[userIndex]?.userId));
  form.set('decision', decision);
  const response = await fetch(`${authorize.origin}${authorize.pathname}`, {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  return new URL(response.headers.get('location') ?? '');
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
