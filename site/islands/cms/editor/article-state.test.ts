import { describe, expect, it } from 'vitest';
import type { PublishState } from '#shared/contracts/content/content';
import type { Detail } from '../api.ts';
import { describeSaved, describeSite } from './article-state.ts';
import type { LivePage } from './use-live-page.ts';

const AT = '2026-03-04T15:00:00.000Z';
const article = (fields: Partial<Detail> = {}) =>
  ({
    status: 'DRAFT',
    version: 5,
    revision: 9,
    updatedAt: AT,
    publishedAt: null,
    startsAt: null,
    endsAt: null,
    ...fields,
  }) as Detail;
const LIVE: PublishState = {
  state: 'live',
  revision: 9,
  liveRevision: 9,
  progress: null,
  step: '',
  reason: '',
  since: AT,
  startsAt: null,
  reachedAt: null,
};
const building: PublishState = { ...LIVE, state: 'building', liveRevision: 8, step: 'Writing pages' };
const shown = (version: number): LivePage => ({ kind: 'shown', version });
const missing: LivePage = { kind: 'missing' };
const published = article({ status: 'PUBLISHED', publishedAt: AT });

describe('the editor’s description of the live site', () => {
  it.each<[string, Detail, LivePage, PublishState | null, string]>([
    ['a draft that was never public', article(), { kind: 'unknown' }, null, 'Not on the site.'],
    ['a published version that is shown', published, shown(5), LIVE, 'Live.'],
    ['an earlier version that is shown', published, shown(4), LIVE, 'The site shows version 4.'],
    ['a live page that is not found', published, missing, LIVE, 'The live page could not be read.'],
    ['a page that was not read yet', published, { kind: 'unknown' }, LIVE, 'Looking at the live page...'],
    [
      'a version that lists do not show yet',
      published,
      shown(5),
      building,
      'Live at its address; lists follow with the build.',
    ],
    ['a running build', published, shown(4), building, 'Writing pages. Its page shows version 4.'],
    ['a first build', published, missing, { ...building, state: 'waiting' }, 'The build is about to start.'],
    ['a failed build', published, missing, { ...building, state: 'failed' }, 'Not live yet.'],
    ['a withdrawn page', article({ publishedAt: AT }), missing, LIVE, 'No longer on the site.'],
    ['a withdrawn page that is still shown', article({ publishedAt: AT }), shown(4), LIVE, 'Still on the site.'],
  ])('describes %s', (_title, saved, live, publish, text) => {
    expect(describeSite({ saved, live, publish }, false)).toBe(text);
  });

  it('mentions scheduled changes after the live version', () => {
    const plans = { startsAt: '2099-03-04T10:42:00.000Z', endsAt: '2099-03-06T18:00:00.000Z' };
    const unknown = { live: { kind: 'unknown' }, publish: null } as const;
    expect(describeSite({ saved: article(plans), ...unknown }, false)).toMatch(
      /^Goes live Mar \d, 2099, .*\. Leaves the site Mar \d, 2099, .*\.$/,
    );
    const ending = { ...published, endsAt: plans.endsAt };
    expect(describeSite({ saved: ending, live: shown(5), publish: LIVE }, false)).toMatch(
      /^Live\. Leaves the site Mar \d, 2099, /,
    );
  });

  it('says that the saved version is live, not the typed text', () => {
    expect(describeSite({ saved: published, live: shown(5), publish: LIVE }, true)).toBe('The saved version is live.');
    expect(describeSite({ saved: null, live: { kind: 'unknown' }, publish: null }, true)).toBe('');
  });
});

describe('the editor’s description of the typed text', () => {
  it('distinguishes a saved version, a stored draft and unsent text', () => {
    const nothing = { kind: 'nothing' } as const;
    expect(describeSaved(null, false, nothing).text).toBe('Nothing is saved yet.');
    expect(describeSaved(article(), false, nothing).text).toMatch(/^Saved Mar \d, 2026, .*\.$/);
    expect(describeSaved(article(), true, nothing)).toMatchObject({ text: 'Not saved yet.', isFrequent: true });
    const kept = describeSaved(article(), true, { kind: 'kept', at: new Date(AT) });
    expect(kept.text).toMatch(/^Draft kept \d+:00:00\s[AP]M\.$/);
    expect(kept.isFrequent).toBe(true);
    expect(describeSaved(article(), true, { kind: 'only-here', message: 'No connection.' })).toEqual({
      text: 'Not sent yet; kept in this browser. No connection.',
      isAtRisk: true,
      isFrequent: false,
    });
  });
});
