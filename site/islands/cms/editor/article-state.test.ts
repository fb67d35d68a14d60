import { describe, expect, it } from 'vitest';
import type { PublishState } from '#shared/contracts/content/content';
import type { ArticleDetail } from '../api.ts';
import { describeSaveStatus, describeSite } from './article-state.ts';
import type { LivePage } from './use-live-page.ts';

const AT = '2026-03-04T15:00:00.000Z';
const article = (fields: Partial<ArticleDetail> = {}) =>
  ({
    status: 'DRAFT',
    version: 5,
    revision: 9,
    updatedAt: AT,
    publishedAt: null,
    startsAt: null,
    endsAt: null,
    ...fields,
  }) as ArticleDetail;
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
const livePageOf = (version: number): LivePage => ({ kind: 'shown', version });
const missingPage: LivePage = { kind: 'missing' };
const publishedArticle = article({ status: 'PUBLISHED', publishedAt: AT });

describe('the editor’s description of the live site', () => {
  it.each<[string, ArticleDetail, LivePage, PublishState | null, string]>([
    ['a draft that was never public', article(), { kind: 'unknown' }, null, 'Not on the site.'],
    ['a published version that is shown', publishedArticle, livePageOf(5), LIVE, 'Live.'],
    ['an earlier version that is shown', publishedArticle, livePageOf(4), LIVE, 'The site shows version 4.'],
    ['a live page that is not found', publishedArticle, missingPage, LIVE, 'The live page could not be read.'],
    ['a page that was not read yet', publishedArticle, { kind: 'unknown' }, LIVE, 'Looking at the live page...'],
    [
      'a version that lists do not show yet',
      publishedArticle,
      livePageOf(5),
      building,
      'Live at its address; lists follow with the build.',
    ],
    ['a running build', publishedArticle, livePageOf(4), building, 'Writing pages. Its page shows version 4.'],
    ['a first build', publishedArticle, missingPage, { ...building, state: 'waiting' }, 'The build is about to start.'],
    ['a failed build', publishedArticle, missingPage, { ...building, state: 'failed' }, 'Not live yet.'],
    ['a withdrawn page', article({ publishedAt: AT }), missingPage, LIVE, 'No longer on the site.'],
    ['a withdrawn page that is still shown', article({ publishedAt: AT }), livePageOf(4), LIVE, 'Still on the site.'],
  ])('describes %s', (_title, saved, live, publish, text) => {
    expect(describeSite({ saved, live, publish }, false)).toBe(text);
  });

  it('mentions scheduled changes after the live version', () => {
    const schedule = { startsAt: '2099-03-04T10:42:00.000Z', endsAt: '2099-03-06T18:00:00.000Z' };
    const unknownProgress = { live: { kind: 'unknown' }, publish: null } as const;
    expect(describeSite({ saved: article(schedule), ...unknownProgress }, false)).toMatch(
      /^Goes live Mar \d, 2099, .*\. Leaves the site Mar \d, 2099, .*\.$/,
    );
    const endingArticle = { ...publishedArticle, endsAt: schedule.endsAt };
    expect(describeSite({ saved: endingArticle, live: livePageOf(5), publish: LIVE }, false)).toMatch(
      /^Live\. Leaves the site Mar \d, 2099, /,
    );
  });

  it('says that the saved version is live, not the typed text', () => {
    expect(describeSite({ saved: publishedArticle, live: livePageOf(5), publish: LIVE }, true)).toBe(
      'The saved version is live.',
    );
    expect(describeSite({ saved: null, live: { kind: 'unknown' }, publish: null }, true)).toBe('');
  });
});

describe('the editor’s description of the typed text', () => {
  it('distinguishes a saved version, a stored draft and unsent text', () => {
    const noDraft = { kind: 'nothing' } as const;
    expect(describeSaveStatus(null, false, noDraft).text).toBe('Nothing is saved yet.');
    expect(describeSaveStatus(article(), false, noDraft).text).toMatch(/^Saved Mar \d, 2026, .*\.$/);
    expect(describeSaveStatus(article(), true, noDraft)).toMatchObject({ text: 'Not saved yet.', isFrequent: true });
    const storedDraft = describeSaveStatus(article(), true, { kind: 'kept', at: new Date(AT) });
    expect(storedDraft.text).toMatch(/^Draft kept \d+:00:00\s[AP]M\.$/);
    expect(storedDraft.isFrequent).toBe(true);
    expect(describeSaveStatus(article(), true, { kind: 'only-here', message: 'No connection.' })).toEqual({
      text: 'Not sent yet; kept in this browser. No connection.',
      isAtRisk: true,
      isFrequent: false,
    });
  });
});
