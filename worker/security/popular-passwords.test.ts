import { expect, it } from 'vitest';
import { isPopular } from './popular-passwords.ts';
import source from './popular-passwords.ts?raw';

it('the list of popular passwords has at least 3,000 entries', () => {
  const [, prefixes = ''] = /`\n([\s\S]+)`/.exec(source) ?? [];
  expect(Math.floor((prefixes.replace(/\s/g, '').length * 3) / 4 / 4)).toBeGreaterThanOrEqual(3000);
});

it.each(['123qweasdzxc', 'mailcreated5240', 'severodvinsk', 'fyfcnfcbz1993', 'rikitikitavi', 'ghostbusters'])(
  '%s is a popular password',
  (password) => {
    expect(isPopular(password)).toBe(true);
  },
);

it('fewer than five of a hundred thousand generated passwords count as popular', () => {
  const hits = Array.from({ length: 100_000 }, (_, n) => `made up password ${n}`).filter(isPopular);
  expect(hits.length).toBeLessThan(5);
});
