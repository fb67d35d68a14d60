import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { PublishState } from '#shared/contracts/content/content';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { answerWith, calls } from '#tests/support/components/calls';
import { type ArticleItem, describeInterruption } from './api.ts';
import { Dashboard } from './Dashboard.tsx';
import { CompareDialog } from './editor/panels/CompareDialog.tsx';
import { describeUndescribed } from './editor/panels/PublishPanel.tsx';
import { StatusBadge } from './lists/articles.tsx';
import { Passkeys, RecoveryCodes } from './session/AccountScreen.tsx';

const item = (title: string, overrides: Partial<ArticleItem> = {}): ArticleItem => ({
  id: title.toLowerCase().replaceAll(' ', '-'),
  title,
  content: '',
  excerpt: '',
  status: 'DRAFT',
  slug: 'a',
  createdAt: '2026-11-01T10:00:00.000Z',
  updatedAt: '2026-11-02T10:00:00.000Z',
  publishedAt: null,
  version: 1,
  updatedBy: 'Grace',
  revision: 1,
  startsAt: null,
  endsAt: null,
  ...overrides,
});

describe('the dashboard of the content area', () => {
  it('lists scheduled articles, drafts and the newest articles on the site, with counts', async () => {
    localStorage.setItem('cms_token', `a.${btoa(JSON.stringify({ exp: 4_102_444_800 }))}.c`);
    const drafts = [item('Winter hours', { startsAt: '2099-01-01T10:00:00.000Z' }), item('New chairs')];
    const live = [item('We moved', { status: 'PUBLISHED', publishedAt: '2026-11-02T10:00:00.000Z' })];
    for (const [kind, rows] of [
      ['posts', { DRAFT: drafts, PUBLISHED: live }],
      ['pages', { DRAFT: [], PUBLISHED: [] }],
    ] as const) {
      calls.answer(
        ({ pathname }) => pathname === `/api/cms/${kind}`,
        ({ url, fulfill }) => {
          const json: ArticleItem[] = rows[url.searchParams.get('status') === 'DRAFT' ? 'DRAFT' : 'PUBLISHED'].slice();
          return fulfill({ json, headers: { [listHeaders.total]: String(json.length) } });
        },
      );
    }
    calls.answer(
      ({ pathname }) => pathname === '/api/cms/media',
      ({ fulfill }) => fulfill({ json: [], headers: { [listHeaders.total]: '4' } }),
    );
    const state: PublishState = {
      state: 'live',
      revision: 1,
      liveRevision: 1,
      progress: null,
      step: '',
      reason: '',
      since: '2026-11-02T10:00:00.000Z',
      startsAt: null,
      reachedAt: null,
    };
    answerWith('/api/cms/publish', state);
    render(<Dashboard />);
    const linksIn = async (name: string) =>
      within(await screen.findByRole('region', { name }))
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    expect(await linksIn('Scheduled')).toEqual(['Winter hours']);
    expect(await linksIn('Drafts')).toEqual(['New chairs']);
    expect(await linksIn('On the site')).toEqual(['We moved']);
    screen.getByText('1 published, 2 not published');
  });
});

describe('the badge of a status', () => {
  it('reads SCHEDULED for a draft with a start time', () => {
    render(<StatusBadge status="DRAFT" startsAt="2099-01-01T10:00:00.000Z" />);
    screen.getByText('SCHEDULED');
  });

  it('reads DRAFT for a draft without a start time', () => {
    render(<StatusBadge status="DRAFT" startsAt={null} />);
    screen.getByText('DRAFT');
  });
});

describe('new recovery codes', () => {
  it('can be downloaded as a file and copied, one per line', async () => {
    const user = userEvent.setup();
    const writeText = vi.spyOn(navigator.clipboard, 'writeText');
    render(<RecoveryCodes codes={['aa-1', 'bb-2']} />);
    const file = screen.getByRole('link', { name: 'Download codes' });
    expect(decodeURIComponent(file.getAttribute('href') ?? '')).toBe('data:text/plain;charset=utf-8,aa-1\nbb-2\n');
    expect(file.getAttribute('download')).toBe('recovery-codes.txt');
    await user.click(screen.getByRole('button', { name: 'Copy codes' }));
    expect(writeText).toHaveBeenCalledWith('aa-1\nbb-2\n');
  });
});

describe('the login page after a session has ended', () => {
  it('promises that text is kept only if this browser holds unsaved text of the open article', () => {
    expect(describeInterruption()).toBe('');
    sessionStorage.setItem('cms_return', '/cms/posts/edit/p1');
    localStorage.setItem('cms_draft:grace@a.co:post:p12:tab', '{}');
    localStorage.setItem('cms_draft:grace@a.co:page:p1:tab', '{}');
    expect(describeInterruption()).toBe('Your session has ended. Log in again.');
    localStorage.setItem('cms_draft:grace@a.co:post:p1:tab', '{}');
    expect(describeInterruption()).toBe('Log in again; your text is kept.');
  });

  it('does not mention text if the session ended on a list screen', () => {
    sessionStorage.setItem('cms_return', '/cms/posts');
    localStorage.setItem('cms_draft:grace@a.co:post:p1:tab', '{}');
    expect(describeInterruption()).toBe('Your session has ended. Log in again.');
  });
});

describe('the comparison with an earlier version', () => {
  it('shows list items without paragraphs, and offers to restore the version', async () => {
    const onRestore = vi.fn();
    render(
      <CompareDialog
        title="Compare"
        left={{ name: 'Then', text: { title: 'T', content: '<ul><li>Old line</li></ul>' } }}
        right={{ name: 'Now', text: { title: 'T', content: '<p>New line</p>' } }}
        onClose={() => undefined}
        onRestore={onRestore}
      />,
    );
    expect(screen.getByRole('region', { name: 'Then' }).textContent).toContain('Old');
    await userEvent.click(screen.getByRole('button', { name: 'Restore' }));
    expect(onRestore).toHaveBeenCalledOnce();
  });
});

describe('the passkeys of an account', () => {
  it('are removed, and recovery codes are replaced, only after confirmation', async () => {
    localStorage.setItem('cms_token', `a.${btoa(JSON.stringify({ exp: 4_102_444_800 }))}.c`);
    const requests: string[] = [];
    calls.answer(
      ({ pathname }) => pathname === '/api/auth/passkeys',
      ({ fulfill }) =>
        fulfill({
          json: {
            passkeys: [{ id: 'p1', label: 'Laptop', created_at: '2026-11-01T10:00:00.000Z', used_at: null }],
            recovery_codes_left: 10,
          },
        }),
    );
    calls.answer(
      ({ pathname }) => pathname === '/api/auth/recovery-codes',
      ({ fulfill }) => {
        requests.push('codes');
        return fulfill({ json: { recovery_codes: ['abcd-efgh'] } });
      },
    );
    render(<Passkeys isRequired={false} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Make new ones' }));
    expect(screen.getByText('The codes that you have now stop working at once.')).toBeTruthy();
    expect(requests).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Make new codes', hidden: true }));
    expect(await screen.findByText('abcd-efgh')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /^Remove/ }));
    expect(screen.getByText('You can no longer log in with it here. Remove it from the device too.')).toBeTruthy();
  });
});

it('counts the images without a description before publishing', () => {
  expect([describeUndescribed(1), describeUndescribed(2)]).toEqual([
    '1 image has no description.',
    '2 images have no description.',
  ]);
});
