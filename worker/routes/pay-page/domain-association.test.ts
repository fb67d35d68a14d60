import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { domainAssociationPath } from '#shared/paths';
import { makeApp } from '#tests/support/login';
import { DOMAIN_ASSOCIATION_KEY } from '#worker/data/merchants/domain-association';

it('the file by which Apple recognises the pay pages is served as the operator stored it', async () => {
  const app = makeApp({ media: env.MEDIA });
  await env.MEDIA.put(DOMAIN_ASSOCIATION_KEY, '7b2276657273696f6e223a317d');
  const answer = await app.request(domainAssociationPath);
  expect([answer.status, await answer.text()]).toEqual([200, '7b2276657273696f6e223a317d']);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain/);
});
