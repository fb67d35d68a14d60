import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PublishState } from '#shared/contracts/content/content';
import type { BuildReportBody } from '#shared/contracts/content/content-request';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { testSettings } from '#tests/support/unit/settings';
import { runSchedule } from '#worker/domain/run-schedule';

let app: ContentApp;
let token: string;
let requests: { build: string; revision: number }[];
let builderAnswer: 'asked' | 'refused' | 'silent';
let isBuilderConfigured: boolean;

beforeEach(async () => {
  requests = [];
  builderAnswer = 'asked';
  isBuilderConfigured = true;
  app = makeContentApp({
    builder: {
      get isConfigured() {
        return isBuilderConfigured;
      },
      request: async (build) => {
        requests.push(build);
        return builderAnswer;
      },
    },
  });
  app.clock.now += 3_600_000;
  token = (await app.makeOwner()).token;
});

const page = { title: 'Fees', content: '<p>x</p>', status: 'PUBLISHED' };
async function publish(body: object = page) {
  const created = await app.get<{ id: string }>(201, 'POST', '/api/cms/pages', { token, body });
  await app.settled();
  return created.id;
}
const viewPublishState = () => app.get<PublishState>(200, 'GET', '/api/cms/publish', { token });
const report = (
  body: BuildReportBody | object,
  build = requests.at(-1)?.build ?? '',
  secret = testSettings('').BUILD_SECRET,
) => app.call('POST', `/api/internal/builds/${build}`, { body, headers: { authorization: `Bearer ${secret}` } });

describe('publishing', () => {
  it('starts a build and reports its progress until the site is live', async () => {
    expect((await viewPublishState()).state).toBe('live');
    await publish({ ...page, status: 'DRAFT' });
    expect(requests).toEqual([]);
    await publish();
    expect(requests).toMatchObject([{ revision: 1 }]);
    expect(await viewPublishState()).toMatchObject({
      state: 'building',
      revision: 1,
      liveRevision: 0,
      progress: 0,
      step: 'Starting',
    });
    expect((await report({ state: 'building', progress: 41.6, step: 'Pages 5 of 12' })).status).toBe(204);
    expect(await viewPublishState()).toMatchObject({ state: 'building', progress: 42, step: 'Pages 5 of 12' });
    expect((await report({ state: 'built', revision: 1 })).status).toBe(204);
    expect(await viewPublishState()).toMatchObject({ state: 'live', revision: 1, liveRevision: 1, progress: null });
    expect((await report({ state: 'building', progress: 1, step: '' })).status).toBe(409);
  });

  it('reports when a revision was first built, while that build is still on record', async () => {
    const reachedAt = async (revision: number | string) =>
      (await app.get<PublishState>(200, 'GET', `/api/cms/publish?revision=${revision}`, { token })).reachedAt;
    await publish();
    expect(await reachedAt(1)).toBeNull();
    app.clock.now += 20_000;
    await report({ state: 'built', revision: 1 });
    const first = new Date(app.clock.now).toISOString();
    app.clock.now += 120_000;
    await publish();
    await report({ state: 'built', revision: 2 });
    expect([await reachedAt(1), await reachedAt(2)]).toEqual([first, new Date(app.clock.now).toISOString()]);
    expect([await reachedAt(3), (await viewPublishState()).reachedAt]).toEqual([null, null]);
    await app.get(422, 'GET', '/api/cms/publish?revision=x', { token });
  });

  it('starts one build at once and one more for further changes within a minute', async () => {
    await publish();
    for (let n = 0; n < 4; n++) await publish();
    expect(requests).toHaveLength(1);
    await report({ state: 'built', revision: 1 });
    expect(await viewPublishState()).toMatchObject({ state: 'waiting', revision: 5, liveRevision: 1 });
    await runSchedule(app.installation);
    expect(requests).toHaveLength(1);
    app.clock.now += 60_000;
    await Promise.all([runSchedule(app.installation), runSchedule(app.installation), runSchedule(app.installation)]);
    expect(requests.map(({ revision }) => revision)).toEqual([1, 5]);
    await runSchedule(app.installation);
    expect(requests).toHaveLength(2);
  });

  it('starts one build for concurrent changes and one for the rest a minute later', async () => {
    await Promise.all(Array.from({ length: 5 }, () => app.get(201, 'POST', '/api/cms/pages', { token, body: page })));
    await app.settled();
    expect(requests).toHaveLength(1);
    await report({ state: 'built', revision: requests[0]?.revision });
    app.clock.now += 59_999;
    await runSchedule(app.installation);
    expect(requests).toHaveLength(1);
    app.clock.now += 1;
    await runSchedule(app.installation);
    expect(requests.map(({ revision }) => revision)).toEqual([requests[0]?.revision, 5]);
  });

  it('waits for a running build to end, even after repeated requests', async () => {
    await publish();
    await report({ state: 'building', progress: 41, step: 'Pages' });
    app.clock.now += 120_000;
    await publish();
    for (let n = 0; n < 3; n++) {
      app.clock.now += 5000;
      await runSchedule(app.installation);
      expect(await app.get(200, 'POST', '/api/cms/publish', { token })).toMatchObject({
        state: 'building',
        progress: 41,
      });
    }
    expect(requests).toHaveLength(1);
    await report({ state: 'built', revision: 1 });
    expect(await viewPublishState()).toMatchObject({ state: 'waiting', revision: 2, liveRevision: 1 });
    await runSchedule(app.installation);
    expect(requests.map(({ revision }) => revision)).toEqual([1, 2]);
    await report({ state: 'failed', reason: 'No space is left.' }, 'latest');
    expect(await viewPublishState()).toMatchObject({ state: 'failed', reason: 'No space is left.' });
  });

  it('waits for a requested build to start, even after repeated requests', async () => {
    await publish();
    app.clock.now += 4 * 60_000;
    await publish();
    await runSchedule(app.installation);
    expect(await app.get(200, 'POST', '/api/cms/publish', { token })).toMatchObject({ state: 'building' });
    expect(requests).toHaveLength(1);
    await report({ state: 'failed', reason: 'No space is left.' }, 'latest');
    await runSchedule(app.installation);
    expect(requests.map(({ revision }) => revision)).toEqual([1, 2]);
    // The second build never reports, and must not block later ones for good.
    app.clock.now += 5 * 60_000;
    await app.get(200, 'POST', '/api/cms/publish', { token });
    await app.settled();
    expect(requests.map(({ revision }) => revision)).toEqual([1, 2, 2]);
  });

  it('rejects a stale built report and never moves progress backwards', async () => {
    await publish();
    app.clock.now += 5 * 60_000;
    await publish();
    const step = (progress: number, name: string) => report({ state: 'building', progress, step: name }, 'latest');
    await step(40, 'Pages');
    expect((await report({ state: 'built', revision: 1 }, 'latest')).status).toBe(409);
    expect((await step(15, 'Reading')).status).toBe(204);
    expect(await viewPublishState()).toMatchObject({ state: 'building', progress: 40, step: 'Pages' });
    expect((await report({ state: 'built', revision: 3 }, 'latest')).status).toBe(204);
    expect((await viewPublishState()).state).toBe('live');
  });

  it('starts another build when the last one stopped reporting', async () => {
    await publish();
    await report({ state: 'building', progress: 41, step: 'Pages' });
    app.clock.now += 5 * 60_000;
    await publish();
    expect(requests.map(({ revision }) => revision)).toEqual([1, 2]);
  });

  it('is triggered by edits and unpublishing but not by drafts', async () => {
    const id = await publish();
    const revisionAfter = async (method: string, path: string, body?: object) => {
      await app.get(200, method, `/api/cms/pages/${id}${path}`, { token, body });
      await app.settled();
      return (await viewPublishState()).revision;
    };
    expect(await revisionAfter('PUT', '/draft', { title: 'x', content: 'x' })).toBe(1);
    expect(await revisionAfter('PUT', '', page)).toBe(2);
    expect(await revisionAfter('PUT', '', { ...page, status: 'DRAFT' })).toBe(3);
    expect(await revisionAfter('PUT', '', { ...page, status: 'DRAFT' })).toBe(3);
    expect(await revisionAfter('DELETE', '')).toBe(3);
  });
});

describe('a failed build', () => {
  it.each([
    ['refused', 'The build service refused to start a build.'],
    ['silent', 'The build service could not be reached.'],
  ] as const)('is reported with its reason when the service is %s, and can be retried', async (result, reason) => {
    builderAnswer = result;
    await publish();
    expect(await viewPublishState()).toMatchObject({ state: 'failed', reason });
    builderAnswer = 'asked';
    app.clock.now += 5000;
    expect(await app.get(200, 'POST', '/api/cms/publish', { token })).toMatchObject({ state: 'building' });
    expect(requests).toHaveLength(2);
  });

  it('is reported with the reason from the builder', async () => {
    await publish();
    await report({ state: 'failed', reason: 'The page /fees could not be built.' });
    expect(await viewPublishState()).toMatchObject({ state: 'failed', reason: 'The page /fees could not be built.' });
  });

  it('is assumed after fifteen minutes without a report', async () => {
    await publish();
    await report({ state: 'building', progress: 10, step: 'x' });
    app.clock.now += 14 * 60_000;
    expect((await viewPublishState()).state).toBe('building');
    app.clock.now += 2 * 60_000;
    await env.INSTALLATION.prepare('UPDATE content_sessions SET ends_at = ?')
      .bind(app.clock.now + 3_600_000)
      .run();
    token = await issueToken();
    expect(await viewPublishState()).toMatchObject({ state: 'failed' });
  });

  it('is reported when no builder is configured', async () => {
    isBuilderConfigured = false;
    await publish();
    expect(requests).toEqual([]);
    expect(await viewPublishState()).toMatchObject({
      state: 'failed',
      reason: 'Nothing builds this site: no deploy hook is set.',
    });
  });
});

describe('build reports', () => {
  it('are accepted only from the builder and only for a known build', async () => {
    await publish();
    const validReport = { state: 'built', revision: 1 };
    expect((await report(validReport, undefined, 'guessed')).status).toBe(401);
    expect((await report(validReport, undefined, token)).status).toBe(401);
    expect((await report(validReport, 'unknown')).status).toBe(404);
    expect((await report({ state: 'live' })).status).toBe(422);
    expect((await report({ state: 'building', progress: 101, step: '' })).status).toBe(422);
    expect((await viewPublishState()).state).toBe('building');
    expect((await report(validReport, 'latest')).status).toBe(204);
  });
});

/** Issues a new token for the owner, whose first token has expired. */
async function issueToken(): Promise<string> {
  const row = await env.INSTALLATION.prepare('SELECT id, user_id FROM content_sessions').first<{
    id: string;
    user_id: string;
  }>();
  return app.installation.signed.content.issue({ id: row?.id ?? '', subject: row?.user_id ?? '' }, app.clock.now);
}
