import { expect, it } from 'vitest';
import { readConflict, readErrorOrConflict } from './api.ts';

const error = { code: 'conflict', message: 'Saved in between.' };
const picture = null;
const current = {
  id: 'a1',
  title: 'Opening hours',
  content: '<p>From nine</p>',
  excerpt: '',
  slug: 'opening-hours',
  status: 'DRAFT',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-02T00:00:00.000Z',
  updatedBy: 'Ada',
  publishedAt: null,
  startsAt: null,
  endsAt: null,
  version: 3,
  revision: 5,
  picture,
};

it('reads the newer text from a conflict response', () => {
  const refusal = readErrorOrConflict({ error, current }, 409);
  expect(readConflict(refusal)?.current).toMatchObject({ title: 'Opening hours', version: 3 });
});

it.each([
  ['has another status', current, 422],
  ['carries no text', undefined, 409],
  ['carries a text without its version', { ...current, version: undefined }, 409],
])('reads no newer text from a response that %s', (_name, sentArticle, status) => {
  const refusal = readErrorOrConflict({ error, current: sentArticle }, status);
  expect(refusal).toMatchObject(error);
  expect(readConflict(refusal)).toBeNull();
});
