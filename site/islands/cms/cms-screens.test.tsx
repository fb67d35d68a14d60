import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it, vi } from 'vitest';
import type { PublishState } from '#shared/contracts/content/content';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { answerWith, calls } from '#tests/support/components/calls';
import { type Item, sayInterrupted } from './api.ts';
import { Dashboard } from './Dashboard.tsx';
import { CompareDialog } from './editor/panels/CompareDialog.tsx';
import { sayUndescribed } from './editor/panels/PublishPanel.tsx';
import { StatusBadge } from './lists/articles.tsx';
import { Passkeys, RecoveryCodes } from './session/AccountScreen.tsx';

const item = (title: string, more: Partial<Item> = {}): Item => ({
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
  ...more,
});

describe('the dashboard of the content area', () => {
  it('lists what is scheduled, the drafts, and the newest on the site, with counts', async () => {
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
          const json: Item[] = rows[url.searchParams.get('status') === 'DRAFT' ? 'DRAFT' : 'PUBLISHED'].slice();
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
    const listed = async (name: string) =>
      within(await screen.findByRole('region', { name }))
        .getAllByRole('link')
        .map(({ textContent }) => textContent);
    expect(await listed('Scheduled')).toEqual(['Winter hours']);
    expect(await listed('Drafts')).toEqual(['New chairs']);
    expect(await listed('On the site')).toEqual(['We moved']);
    screen.getByText('1 published, 2 not published');
  });
});

describe('the badge of a status', () => {
  it('says SCHEDULED for a draft that has its time', () => {
    render(<StatusBadge status="DRAFT" startsAt="2099-01-01T10:00:00.000Z" />);
    screen.getByText('SCHEDULED');
  });

  it('says DRAFT for one that has none', () => {
    render(<StatusBadge status="DRAFT" startsAt={null} />);
    screen.getByText('DRAFT');
  });
});

describe('new recovery codes', () => {
  it('are offered as a file and copied one a line', async () => {
    const person = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText');
    render(<RecoveryCodes codes={['aa-1', 'bb-2']} />);
    const file = screen.getByRole('link', { name: 'Download codes' });
    expect(decodeURIComponent(file.getAttribute('href') ?? '')).toBe('data:text/plain;charset=utf-8,aa-1\nbb-2\n');
    expect(file.getAttribute('download')).toBe('recovery-codes.txt');
    await person.click(screen.getByRole('button', { name: 'Copy codes' }));
    expect(write).toHaveBeenCalledWith('aa-1\nbb-2\n');
  });
});

describe('the login after a session ended', () => {
  it('promises that text is kept only if this browser keeps some of the open article', () => {
    expect(sayInterrupted()).toBe('');
    sessionStorage.setItem('cms_return', '/cms/posts/edit/p1');
    localStorage.setItem('cms_draft:grace@a.co:post:p12:tab', '{}');
    localStorage.setItem('cms_draft:grace@a.co:page:p1:tab', '{}');
    expect(sayInterrupted()).toBe('Your session has ended. Log in again.');
    localStorage.setItem('cms_draft:grace@a.co:post:p1:tab', '{}');
    expect(sayInterrupted()).toBe('Log in again; your text is kept.');
  });

  it('says nothing of text after a list', () => {
    sessionStorage.setItem('cms_return', '/cms/posts');
    localStorage.setItem('cms_draft:grace@a.co:post:p1:tab', '{}');
    expect(sayInterrupted()).toBe('Your session has ended. Log in again.');
  });
});

describe('the comparison with an earlier version', () => {
  it('lists the lines of lists without paragraphs, and restores from within', async () => {
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
  it('are removed, and recovery codes are replaced, only after a question', async () => {
    localStorage.setItem('cms_token', `a.${btoa(JSON.stringify({ exp: 4_102_444_800 }))}.c`);
    const made: string[] = [];
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
        made.push('codes');
        return fulfill({ json: { recovery_codes: ['abcd-efgh'] } });
      },
    );
    render(<Passkeys isNeeded={false} />);
    await userEvent.click(await screen.findByRole('button', { name: 'Make new ones' }));
    expect(screen.getByText('The codes that you have now stop working at once.')).toBeTruthy();
    expect(made).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Make new codes', hidden: true }));
    expect(await screen.findByText('abcd-efgh')).toBeTruthy();
    await userEvent.click(screen.getByRole('button', { name: /^Remove/ }));
    expect(screen.getByText('You can no longer log in with it here. Remove it from the device too.')).toBeTruthy();
  });
});

it('counts the images without a description before publishing', () => {
  expect([sayUndescribed(1), sayUndescribed(2)]).toEqual([
    '1 image has no description.',
    '2 images have no description.',
  ]);
});
