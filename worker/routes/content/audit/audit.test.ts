import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hubs } from '#sandbox/credentials';
import { AuditHeadFile, AuditView } from '#shared/contracts/staff/audit';
import { makeContentApp } from '#tests/support/content/content';
import { recordActs } from '#tests/support/unit/trail';
import { INSTALLATION } from '#worker/data/schema/audit';
import { sealTrails } from '#worker/domain/audit/seal';

describe('GET /api/cms/audit', () => {
  it('shows an owner the events of the installation with names, and no event of a clinic', async () => {
    const app = makeContentApp();
    const { email, token } = await app.makeOwner();
    const id = await env.INSTALLATION.prepare('SELECT id FROM content_users WHERE email = ?')
      .bind(email)
      .first<string>('id');
    const at = app.clock.now;
    await recordActs(app.installation, [
      {
        accountId: INSTALLATION,
        action: 'article.published',
        subject: ['post', 'a1'],
        at,
        after: { slug: 'what-a-fee-is' },
        actor: { kind: 'content', id: id ?? '' },
      },
      { accountId: hubs[0].hubId, action: 'footer.changed', at },
    ]);
    await sealTrails(app.installation);
    const view = AuditView.parse(await app.get(200, 'GET', '/api/cms/audit?group=content', { token }));
    expect(view.events.map(({ sentence, person }) => [sentence, person])).toEqual([
      [`Olga Reyes (${email}) published the post “what-a-fee-is”.`, `content:${id}`],
    ]);
    expect(view.people).toContainEqual({ person: `content:${id}`, name: `Olga Reyes (${email})` });
    expect(view).toMatchObject({ weekly_mail: null, verified: { problem: '', seq: view.head?.seq }, unsealed: 0 });
    const csv = await app.call('GET', '/api/cms/audit?format=csv', { token });
    const text = await csv.text();
    expect(text).toContain('published the post “what-a-fee-is”.');
    expect(text).not.toContain('footer.changed');
    const file = AuditHeadFile.parse(await app.get(200, 'GET', '/api/cms/audit/head', { token }));
    expect(file).toMatchObject({ account: INSTALLATION, head: view.head });
  });

  it('is for owners only', async () => {
    const app = makeContentApp();
    const { token } = await app.makeOwner();
    const { token: editor } = await app.makeEditor(token);
    for (const path of ['/api/cms/audit', '/api/cms/audit?format=csv', '/api/cms/audit/head']) {
      const refusal = await app.get(403, 'GET', path, { token: editor });
      expect(refusal).toMatchObject({ error: { message: 'Only an owner can do this.' } });
      await app.get(401, 'GET', path);
    }
    await app.get(422, 'GET', '/api/cms/audit?group=all', { token });
  });
});
