import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it } from 'vitest';
import { articlesOf } from '#tests/support/content/articles';
import { type ContentApp, makeContentApp } from '#tests/support/content/content';
import { handleBuildReport } from '#worker/domain/content/publishing/build';
import { INSTALLATION_STEPS } from '#worker/domain/run-schedule';

const MINUTE = 60_000;
const MONTH = 30 * 24 * 60;
let app: ContentApp;
let token: string;
/** Time and revision of each requested build. */
let builds: { at: number; revision: number }[];
beforeEach(async () => {
  builds = [];
  app = makeContentApp({
    builder: {
      isConfigured: true,
      request: async ({ revision }) => {
        builds.push({ at: app.clock.now, revision });
        return 'asked';
      },
    },
  });
  app.clock.now = Math.ceil(app.clock.now / MINUTE) * MINUTE;
  token = (await app.makeOwner()).token;
});
const { makePage, putPage, openPage } = articlesOf(() => ({ app, token }));

/** Runs the schedule once: first the due articles, then the site builds. Each build ends before the next run. */
async function runScheduleOnce() {
  const { 'article-schedules': schedules, 'site-builds': siteBuilds } = INSTALLATION_STEPS;
  if (!schedules || !siteBuilds) throw new Error('a step is missing');
  await schedules(app.installation);
  await siteBuilds(app.installation);
  const { revision } = builds.at(-1) ?? {};
  if (revision !== undefined) await handleBuildReport(app.installation, 'latest', { state: 'built', revision });
}
const inMinutes = (minutes: number) => new Date(app.clock.now + minutes * MINUTE).toISOString();
const eventsOf = async (id: string) => {
  const { results } = await env.INSTALLATION.prepare(
    'SELECT action, actor_kind, after FROM audit_events WHERE subject_id = ? ORDER BY seq',
  )
    .bind(id)
    .all<{ action: string; actor_kind: string; after: string }>();
  return results.map(({ action, actor_kind }) => `${actor_kind} ${action}`);
};

describe('a scheduled page', () => {
  it('is published and unpublished on time, with both changes in the audit trail', async () => {
    const page = await makePage({ startsAt: inMinutes(3), endsAt: inMinutes(6) });
    expect(page).toMatchObject({ status: 'DRAFT', startsAt: inMinutes(3), endsAt: inMinutes(6) });
    const endsAt = page.endsAt;
    app.clock.now += 3 * MINUTE - 1;
    await runScheduleOnce();
    expect(await openPage(page.id)).toMatchObject({ status: 'DRAFT', version: 1, publishedAt: null });
    app.clock.now += 1;
    await runScheduleOnce();
    expect(await openPage(page.id)).toMatchObject({
      status: 'PUBLISHED',
      version: 2,
      startsAt: null,
      endsAt,
      updatedBy: 'Schedule',
      publishedAt: new Date(app.clock.now).toISOString(),
    });
    expect((await app.call('GET', `/api/public/pages/${page.slug}`)).status).toBe(200);
    await runScheduleOnce();
    expect((await openPage(page.id)).version).toBe(2);
    app.clock.now += 3 * MINUTE;
    await runScheduleOnce();
    expect(await openPage(page.id)).toMatchObject({ status: 'DRAFT', version: 3, startsAt: null, endsAt: null });
    expect((await app.call('GET', `/api/public/pages/${page.slug}`)).status).toBe(404);
    expect(await eventsOf(page.id)).toEqual([
      'content article.scheduled',
      'system article.published',
      'system article.unpublished',
    ]);
  });

  it('keeps times that a save omits, loses its start when published and its end when unpublished', async () => {
    const times = { startsAt: inMinutes(3), endsAt: inMinutes(6) };
    const page = await makePage(times);
    await putPage(page.id, { title: 'Other' });
    expect(await openPage(page.id)).toMatchObject(times);
    await putPage(page.id, { status: 'PUBLISHED' });
    expect(await openPage(page.id)).toMatchObject({ startsAt: null, endsAt: times.endsAt });
    await putPage(page.id, { status: 'DRAFT' });
    expect(await openPage(page.id)).toMatchObject({ startsAt: null, endsAt: null });
    app.clock.now += 8 * MINUTE;
    await runScheduleOnce();
    expect((await openPage(page.id)).status).toBe('DRAFT');
  });

  it('can be unscheduled', async () => {
    const page = await makePage({ startsAt: inMinutes(3) });
    await putPage(page.id, { startsAt: '' });
    app.clock.now += 8 * MINUTE;
    await runScheduleOnce();
    expect(await openPage(page.id)).toMatchObject({ status: 'DRAFT', startsAt: null });
    expect(await eventsOf(page.id)).toEqual(['content article.scheduled', 'content article.scheduled']);
  });

  it.each([
    ['a start in the past', { startsAt: -1 }, 'startsAt'],
    ['an end in the past', { startsAt: 1, endsAt: -1 }, 'endsAt'],
    ['an end before the start', { startsAt: 9, endsAt: 8 }, 'endsAt'],
  ])('is rejected with %s', async (_, minutes, field) => {
    const times = Object.fromEntries(Object.entries(minutes).map(([name, at]) => [name, inMinutes(at)]));
    const body = { title: 'Planned', content: '', status: 'DRAFT', ...times };
    expect(await app.get(422, 'POST', '/api/cms/pages', { token, body })).toMatchObject({
      error: { fields: [field] },
    });
  });

  it('is rejected with a date without a time or an impossible date', async () => {
    for (const startsAt of ['2027-01-02', 'tomorrow', '2027-13-45T10:00Z']) {
      await app.get(422, 'POST', '/api/cms/pages', { token, body: { title: 'Planned', content: '', startsAt } });
    }
  });

  it('does not overwrite a save made at the moment its schedule fires', async () => {
    const page = await makePage({ startsAt: inMinutes(1) });
    app.clock.now += MINUTE;
    await Promise.all([runScheduleOnce(), putPage(page.id, { title: 'Mine', startsAt: '' })]);
    await runScheduleOnce();
    const { title, startsAt } = await openPage(page.id);
    expect([title, startsAt]).toEqual(['Mine', null]);
  });
});

describe('scheduled pages over a month with two outages of the schedule', () => {
  it('start and end once, never early, and outside outages within two minutes including the build', {
    timeout: 240_000,
  }, async () => {
    const start = app.clock.now;
    /** A full hour in minutes, spread evenly without randomness, so that a failure is reproducible. */
    const spread = (n: number, total: number) => 60 * (1 + ((n * 7919 + 13) % total));
    const planned = Array.from({ length: env.COMPLETE ? 1000 : 60 }, (_, n) => {
      const starts = spread(n, 680);
      return { id: `page-${n}`, starts, ends: starts + spread(n, 36) };
    });
    const sql = [
      `INSERT INTO articles (id, kind, slug, title, status, save_id, created_at, updated_at, updated_by, search, content)
VALUES (?1, 'page', ?1, ?1, 'DRAFT', ?1, 0, 0, 'Olga', ?1, '')`,
      'INSERT INTO article_schedules (article_id, starts_at, ends_at) VALUES (?1, ?2, ?3)',
    ];
    const [article, times] = sql.map((text) => env.INSTALLATION.prepare(text));
    if (!article || !times) throw new Error('nothing to write');
    const at = (minute: number) => start + minute * MINUTE;
    for (let n = 0; n < planned.length; n += 100) {
      const chunk = planned.slice(n, n + 100);
      await env.INSTALLATION.batch(
        chunk.flatMap(({ id, starts, ends }) => [article.bind(id), times.bind(id, at(starts), at(ends))]),
      );
    }
    const outages = [
      [10_000, 10_300],
      [25_000, 26_500],
    ] as const;
    const isOutage = (minute: number) => outages.some(([begin, end]) => minute >= begin && minute < end);
    // Minutes in which nothing can be due are skipped, except for a sample.
    const minutesToRun = new Set(planned.flatMap(({ starts, ends }) => [starts, starts + 1, ends, ends + 1]));
    for (const [, end] of outages) for (let offset = 0; offset < 40; offset++) minutesToRun.add(end + offset);
    for (let minute = 1; minute <= MONTH; minute++) {
      if (isOutage(minute) || !(minutesToRun.has(minute) || minute % 500 === 0)) continue;
      app.clock.now = at(minute);
      await runScheduleOnce();
    }
    const { results } = await env.INSTALLATION.prepare(
      "SELECT subject_id AS id, action, at FROM audit_events WHERE subject_kind = 'page' ORDER BY seq",
    ).all<{ id: string; action: string; at: number }>();
    const eventsById = Map.groupBy(results, ({ id }) => id);
    let maxDelayMs = 0;
    let maxBuildDelayMs = 0;
    for (const { id, starts, ends } of planned) {
      const events = eventsById.get(id) ?? [];
      expect(events.map(({ action }) => action)).toEqual(['article.published', 'article.unpublished']);
      for (const [due, act] of [starts, ends].map((minute, n) => [at(minute), events[n]?.at ?? 0] as const)) {
        expect(act).toBeGreaterThanOrEqual(due);
        if (outages.some(([begin, end]) => due >= at(begin - 2) && due < at(end + 40))) continue;
        maxDelayMs = Math.max(maxDelayMs, act - due);
        const built = builds.find((build) => build.at >= act);
        maxBuildDelayMs = Math.max(maxBuildDelayMs, (built?.at ?? Number.POSITIVE_INFINITY) - due);
      }
    }
    expect(maxDelayMs).toBeLessThanOrEqual(2 * MINUTE);
    expect(maxBuildDelayMs).toBeLessThanOrEqual(2 * MINUTE);
    const remaining = await env.INSTALLATION.prepare('SELECT count(*) AS n FROM article_schedules').first<number>('n');
    expect(remaining).toBe(0);
  });
});
