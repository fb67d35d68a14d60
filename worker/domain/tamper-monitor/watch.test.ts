import { describe, expect, it } from 'vitest';
import { bytesOf, JAVASCRIPT, makePayPage } from '#tests/support/unit/pay-page-parts';
import { makeWorld } from '#tests/support/unit/world';
import { monitorFindings, monitorRuns, scriptVersions } from '#worker/data/schema/monitoring';
import { applyRetention } from '#worker/domain/retention/apply-retention';
import { approveScript, viewMonitor } from './report.ts';
import { watchPayPage } from './watch.ts';

const HOUR = 3_600_000;
const APPROVAL = { by: 'Dana Reyes', reason: 'Compared with the version before: a new field label.' };

/** An unchanged pay page that was checked once, with the provider's script approved. */
async function makeWatchedPage() {
  const world = await makeWorld();
  const { page, inventory, payPage } = await makePayPage(world.installation);
  const alerts: string[] = [];
  const deps = {
    ...world.installation,
    payPage,
    log: {
      info: () => undefined,
      alert: (event: string, fields?: object) => void alerts.push(`${event} ${JSON.stringify(fields)}`),
    },
  };
  const check = async () => {
    world.clock.now += 6 * HOUR;
    await watchPayPage(deps, inventory);
  };
  const { db } = deps;
  const findings = () => db.select().from(monitorFindings);
  const runs = () => db.select().from(monitorRuns);
  const serve = (text: string) => {
    page.script = { status: 200, type: JAVASCRIPT, body: bytesOf(text) };
    return deps.sha256(text);
  };
  const storedText = async (key: string) => (await deps.media.get(key))?.text();
  await check();
  await approveScript(deps, { sha256: await deps.sha256('provide()'), ...APPROVAL });
  alerts.length = 0;
  return { ...world, deps, db, page, inventory, alerts, check, findings, runs, serve, storedText };
}

describe('the tamper check of the pay page', () => {
  it('reports an unapproved script until a person has approved it with a reason', async () => {
    const { check, findings, db, alerts, clock } = await makeWatchedPage();
    const [first] = await findings();
    expect(first).toMatchObject({
      kind: 'script-changed',
      closedAs: 'approved',
      expected: 'no version is approved yet',
    });
    const [version] = await db.select().from(scriptVersions);
    expect(version).toMatchObject({ approvedBy: APPROVAL.by, reason: APPROVAL.reason, approvedAt: clock.now });
    await check();
    expect([await findings(), alerts]).toEqual([[first], []]);
  });

  it('reports a changed byte in the provider’s script, a dropped header and an added script, with three alerts', async () => {
    const { check, findings, page, alerts, serve } = await makeWatchedPage();
    const before = (await findings()).length;
    const changedHash = await serve('provide();');
    page.headers.delete('x-frame-options');
    page.tags = '<script src="https://skimmer.example/s.js"></script>';
    await check();
    const rows = (await findings()).slice(before);
    expect(rows.map(({ kind, subject, seen }) => [kind, subject, seen]).sort()).toEqual([
      ['header-missing', 'x-frame-options', 'no such header'],
      ['script-changed', '{provider}/js-sdk/js/clearent-host.js', changedHash],
      ['script-not-listed', 'https://skimmer.example/s.js', 'not loaded'],
    ]);
    expect(alerts.map((line) => line.split(' ')[0]).sort()).toEqual([
      'pay-page-differs',
      'pay-page-differs',
      'script-changed',
    ]);
  });

  it('reports nothing in 100 checks of an unchanged page, at any hour of the year', async () => {
    const { check, findings, runs, alerts, clock } = await makeWatchedPage();
    const before = await findings();
    for (let n = 0; n < 100; n++) {
      clock.now += (n * 7_919_000) % (80 * HOUR);
      await check();
    }
    expect([await findings(), alerts]).toEqual([before, []]);
    expect((await runs()).filter(({ findings: count }) => count > 0)).toHaveLength(1);
  });

  it.each([
    ['an inline script', '<script>steal()</script>', /^sha256-/],
    ['an inline script with a type', '<script type="module">steal()</script>', /^sha256-/],
    ['a file of ours that is not on the list', '<script src="/_astro/Extra.DDDDDDDD.js"></script>', /Extra\.\*\.js$/],
  ])('reports %s', async (_title, tag, subject) => {
    const { check, page, findings, alerts } = await makeWatchedPage();
    page.tags = tag;
    await check();
    expect((await findings()).at(-1)).toMatchObject({
      kind: 'script-not-listed',
      subject: expect.stringMatching(subject),
    });
    expect(alerts).toHaveLength(1);
  });

  it('reports a listed script that is gone', async () => {
    const { deps, inventory, clock, findings } = await makeWatchedPage();
    clock.now += 6 * HOUR;
    await watchPayPage(deps, { ...inventory, scripts: [...inventory.scripts, { url: '/_astro/Former.*.js' }] });
    expect((await findings()).at(-1)).toMatchObject({ kind: 'script-missing', subject: '/_astro/Former.*.js' });
  });

  it.each([
    ['an extra source', (policy: string) => policy.replace("'self'", "'self' https://skimmer.example"), 'script-src'],
    ['inline scripts', (policy: string) => policy.replace("'self'", "'self' 'unsafe-inline'"), 'script-src'],
    ['a missing directive', (policy: string) => policy.replace("default-src 'none'; ", ''), 'default-src'],
    ['a second policy', (policy: string) => `${policy}, default-src *`, 'style-src'],
  ])('reports a weakened content security policy: %s', async (_title, change, directive) => {
    const { check, page, alerts } = await makeWatchedPage();
    page.headers.set('content-security-policy', change(page.headers.get('content-security-policy') ?? ''));
    await check();
    expect(alerts).toEqual([expect.stringContaining(`"content-security-policy ${directive}"`)]);
  });

  it.each([
    ['no answer', 'unavailable' as const, 3],
    ['a server error', { status: 502, type: 'text/html', body: bytesOf('<h1>502</h1>') }, 3],
    ['a page instead of a script', { status: 200, type: 'text/html', body: bytesOf('<h1>Soon</h1>') }, 1],
    ['a redirect', { status: 302, type: '', body: bytesOf('') }, 1],
  ])('stores no script version for %s', async (_title, script, tries) => {
    const { check, page, alerts, db, deps } = await makeWatchedPage();
    page.script = script;
    page.requestCount = 0;
    await check();
    expect(page.requestCount).toBe(tries);
    expect(alerts).toEqual([expect.stringContaining('"kind":"script-unreadable"')]);
    expect(await db.select().from(scriptVersions)).toHaveLength(1);
    expect((await viewMonitor(deps)).findings).toHaveLength(1);
  });

  it('also compares Google’s script, whose versions a person approves, once a clinic accepts Google Pay', async () => {
    const { check, findings, deps, db } = await makeWatchedPage();
    const before = (await findings()).length;
    const sha256 = await deps.sha256('pay()');
    await check();
    expect(await findings()).toHaveLength(before);
    await db.$client.prepare('INSERT INTO clinics (account, founded_at, takes_google_pay) VALUES (4711, 0, 1)').run();
    await check();
    expect((await findings()).at(-1)).toMatchObject({
      kind: 'script-changed',
      subject: 'https://pay.google.com/gp/p/js/pay.js',
      seen: sha256,
    });
    await approveScript(deps, { sha256, ...APPROVAL });
    expect((await findings()).at(-1)).toMatchObject({ closedAs: 'approved' });
    await check();
    expect(await findings()).toHaveLength(before + 1);
  });

  it('accepts a provider that answers on the third try', async () => {
    const { check, page, alerts } = await makeWatchedPage();
    page.failures = 2;
    await check();
    expect([page.failures, alerts]).toEqual([0, []]);
  });

  it('counts a lasting finding, alerts once, closes it when it is gone and opens a new one if it returns', async () => {
    const { check, findings, page, alerts } = await makeWatchedPage();
    page.headers.delete('x-frame-options');
    await check();
    await check();
    await check();
    expect((await findings()).at(-1)).toMatchObject({ kind: 'header-missing', timesSeen: 3, closedAt: null });
    expect(alerts).toHaveLength(1);
    page.headers.set('x-frame-options', 'DENY');
    await check();
    expect((await findings()).at(-1)).toMatchObject({ timesSeen: 3, closedAs: 'gone' });
    page.headers.set('x-frame-options', 'SAMEORIGIN');
    await check();
    expect((await findings()).at(-1)).toMatchObject({ kind: 'header-differs', seen: 'SAMEORIGIN', closedAt: null });
    expect(alerts).toHaveLength(2);
  });

  it('stores both bodies of a changed script and the evidence of each check', async () => {
    const { check, serve, storedText, runs, deps } = await makeWatchedPage();
    const changedHash = await serve('provide(/* new */)');
    await check();
    expect(await storedText(`monitor/scripts/${await deps.sha256('provide()')}.js`)).toBe('provide()');
    expect(await storedText(`monitor/scripts/${changedHash}.js`)).toBe('provide(/* new */)');
    const keys = (await runs()).map(({ evidenceKey }) => evidenceKey);
    expect(keys).toHaveLength(2);
    const evidence = JSON.parse((await storedText(keys[1] ?? '')) ?? '');
    expect(evidence).toMatchObject({ source: 'inside', findings: [{ kind: 'script-changed', seen: changedHash }] });
    expect(evidence.seen.scripts).toHaveLength(4);
  });

  it('runs once in six hours, even if it is started more often or concurrently', async () => {
    const { deps, inventory, runs, clock } = await makeWatchedPage();
    const before = (await runs()).length;
    for (let minute = 0; minute < 12 * 60; minute += 10) {
      clock.now += 10 * 60_000;
      await Promise.all([watchPayPage(deps, inventory), watchPayPage(deps, inventory)]);
    }
    expect((await runs()).length - before).toBe(2);
  });

  it('runs again ten minutes after it failed', async () => {
    const { deps, inventory, runs, clock, page } = await makeWatchedPage();
    clock.now += 6 * HOUR;
    const brokenDeps = { ...deps, payPage: async () => Promise.reject(new Error('no page')) };
    await expect(watchPayPage(brokenDeps, inventory)).rejects.toThrow('no page');
    page.requestCount = 0;
    clock.now += 9 * 60_000;
    await watchPayPage(deps, inventory);
    expect(page.requestCount).toBe(0);
    clock.now += 60_000;
    await watchPayPage(deps, inventory);
    expect(page.requestCount).toBe(1);
    expect((await runs()).map(({ finishedAt }) => finishedAt !== null)).toEqual([true, false, true]);
  });

  it('deletes rows and files after twelve months, and a script version only if not seen for that long', async () => {
    const { check, serve, storedText, runs, findings, deps, clock, db } = await makeWatchedPage();
    const changedHash = await serve('provide(2)');
    await check();
    await serve('provide()');
    await check();
    const oldKeys = (await runs()).map(({ evidenceKey }) => evidenceKey);
    clock.now += 366 * 24 * HOUR;
    // The approved version is seen again before old versions are deleted.
    await check();
    await applyRetention(deps);
    expect(await runs()).toHaveLength(1);
    expect(await findings()).toEqual([]);
    expect((await db.select().from(scriptVersions)).map(({ sha256 }) => sha256)).toEqual([
      await deps.sha256('provide()'),
    ]);
    for (const key of [...oldKeys, `monitor/scripts/${changedHash}.js`]) expect(await storedText(key)).toBeUndefined();
  });

  it('does nothing when no page is served', async () => {
    const { deps, runs, inventory, clock } = await makeWatchedPage();
    clock.now += 6 * HOUR;
    await watchPayPage({ ...deps, payPage: null }, inventory);
    expect(await runs()).toHaveLength(1);
  });
});
