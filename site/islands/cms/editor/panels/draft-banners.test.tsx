import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { calls } from '#tests/support/components/calls';
import type { Leftover } from '../leftover-drafts.ts';
import { LeftoverBanner } from './DraftBanners.tsx';

beforeEach(() => {
  localStorage.setItem('cms_token', `a.${btoa(JSON.stringify({ exp: 4_102_444_800 }))}.c`);
});

const NAME = 'left';
const leftover: Leftover = {
  name: NAME,
  isOnServer: true,
  title: 'Fees',
  content: '<p>One.</p>',
  excerpt: '',
  slug: 'fees',
  featuredImageId: null,
  baseVersion: 1,
  savedAt: '2026-11-02T10:00:00.000Z',
};

it('keeps a leftover text here until the server has deleted its own copy', async () => {
  localStorage.setItem(NAME, '{}');
  let status = 503;
  calls.answer(
    ({ pathname }) => pathname === '/api/cms/posts/p1/draft',
    ({ fulfill }) =>
      fulfill(
        status === 204 ? { status } : { status, json: { error: { code: 'unavailable', message: 'Try again later.' } } },
      ),
  );
  render(<LeftoverBanner kind="post" id="p1" leftovers={[leftover]} onShow={vi.fn()} />);
  await userEvent.click(screen.getByRole('button', { name: 'Discard it' }));
  const confirm = () => userEvent.click(screen.getByRole('button', { name: 'Discard', hidden: true }));
  await confirm();
  expect(await screen.findByText('Try again later.')).toBeTruthy();
  expect(localStorage.getItem(NAME)).toBe('{}');
  status = 204;
  await confirm();
  await waitFor(() => expect(screen.queryByText(/There is more unsaved text/)).toBeNull());
  expect(localStorage.getItem(NAME)).toBeNull();
});
