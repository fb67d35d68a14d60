import { expect, it } from 'vitest';
import { ArticleBody } from '../contracts/content/content-request.ts';
import { personName } from '../contracts/person-request.ts';
import { cleanLine } from './clean-line.ts';

it.each([
  ['\tOpening\thours ', 'Opening hours'],
  ['Opening\u2028hours\u2029', 'Opening hours'],
  ['\u2066Opening\u2069 \u202ehours\u202c', 'Opening hours'],
  ['\ufeffOpe\u200bning\u2060 hours\r\n', 'Opening hours'],
  ['Opening hours\u0000', 'Opening hours'],
  ['سلام \u200c ok 👩\u200d⚕️', 'سلام \u200c ok 👩\u200d⚕️'],
])('removes invisible characters from %j', (pasted, clean) => {
  expect(cleanLine(pasted)).toBe(clean);
  expect(personName('missing').parse(pasted)).toBe(clean);
});

it('a title is cleaned instead of refused, but must contain a visible character', () => {
  const article = (title: string) => ArticleBody.safeParse({ title, content: '', status: 'DRAFT' });
  expect(article('Fees\u2028 2026\u2069').data?.title).toBe('Fees  2026');
  expect(article('\u2066\u200b\t').success).toBe(false);
});
