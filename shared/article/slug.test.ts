import { expect, it } from 'vitest';
import { slugOf, usableSlug } from './slug.ts';

it.each([
  ['Why patients pay late', 'why-patients-pay-late'],
  ['  Zahnärzte & “Ärger”: 5 Fälle!  ', 'zahnarzte-and-arger-5-falle'],
  ['Straße Łódź Ærø', 'strasse-lodz-aero'],
  ["The clinic's day", 'the-clinics-day'],
  ['../../etc/passwd', 'etc-passwd'],
  ['a\u202egpj.exe', 'a-gpj-exe'],
  ['ｆｕｌｌ ｗｉｄｔｈ', 'full-width'],
  ['李 🦷', ''],
  ['№5 ℡ Ⓐ', 'no5-tel-a'],
  ['..', ''],
])('the slug of %j is %j', (title, slug) => {
  expect(slugOf(title)).toBe(slug);
  expect(slugOf(slug)).toBe(slug);
});

it('a long slug is cut between words and stays within its limit', () => {
  const slug = slugOf('word '.repeat(60));
  expect(slug).toMatch(/^word(-word)*$/);
  expect(slug.length).toBeLessThanOrEqual(80);
  expect(slugOf('x'.repeat(300))).toHaveLength(80);
});

it('a reserved slug gets the article kind appended', () => {
  expect(usableSlug('New', 'post')).toBe('new-post');
  expect(usableSlug('preview', 'page')).toBe('preview-page');
  expect(usableSlug('news', 'post')).toBe('news');
});
