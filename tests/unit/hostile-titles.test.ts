import { expect, it } from 'vitest';
import type { PostDetail, PostItem } from '#shared/contracts/content/content-answers';
import { contentLimits } from '#shared/limits';
import { cleanLine } from '#shared/text/clean-line';
import { GET as feed } from '#site/pages/rss.xml.ts';
import { GET as sitemap } from '#site/pages/sitemap.xml.ts';
import { articlesOf, form, text } from '#tests/support/content/articles';
import { makeContentApp } from '#tests/support/content/content';
import { BLANK_TEXTS, HOSTILE_TEXTS } from '#tests/support/hostile-texts';

const ENTITY = '&(?:amp|lt|gt|quot|apos|#\\d+);';
const TOKEN = new RegExp(
  `<\\?xml [^<>]*\\?>|<(?<end>/?)(?<name>[\\w:]+)(?: [\\w:]+="(?:[^<>&"]|${ENTITY})*")*(?<empty>/?)>|(?:[^<>&]|${ENTITY})+`,
  'gy',
);
const INVALID = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** The first fault of an XML text; null if it is well-formed. */
function findXmlFault(xml: string): string | null {
  if (INVALID.test(xml)) return 'a character that XML does not allow';
  const open: string[] = [];
  let end = 0;
  for (const { 0: token, groups = {}, index } of xml.matchAll(TOKEN)) {
    end = index + token.length;
    if (groups.name === undefined || groups.empty) continue;
    if (!groups.end) open.push(groups.name);
    else if (open.pop() !== groups.name) return `an end without a start: ${token}`;
  }
  if (end < xml.length) return `no markup: ${xml.slice(end, end + 40)}`;
  return open.length > 0 ? `no end of ${open.join(', ')}` : null;
}

const readFile = async (get: typeof feed): Promise<string> => {
  const answer = await get({ site: new URL('https://tillway.example') } as Parameters<typeof feed>[0]);
  return answer.text();
};

/** Posts in the feed. */
const FEED_POSTS = 20;

it('any text is a title, stored as shown, found by a search, and safe in feed and sitemap, or is refused', async () => {
  const app = makeContentApp();
  const { token } = await app.makeOwner();
  const { makePost } = articlesOf(() => ({ app, token }));
  const titles: string[] = [];
  for (const hostile of [...HOSTILE_TEXTS, ...BLANK_TEXTS]) {
    const title = cleanLine(hostile).toWellFormed();
    const isTitle = /[^\s\p{Cf}\p{Z}]/u.test(title) && title.length <= contentLimits.title;
    if (!isTitle) {
      const body = form({ ...text, title: hostile });
      expect((await app.call('POST', '/api/cms/posts', { token, body })).status, hostile).toBe(422);
      continue;
    }
    app.clock.now += 1000;
    const { id } = await makePost({ title: hostile, status: 'PUBLISHED' });
    const stored = await app.get<PostDetail>(200, 'GET', `/api/cms/posts/${id}`, { token });
    // An invalid character is stored as one or more replacement characters.
    expect(stored.title.replace(/\ufffd+/g, '\ufffd')).toBe(title);
    const query = new URLSearchParams({ q: title.slice(0, 50), size: '100' });
    const found = await app.get<PostItem[]>(200, 'GET', `/api/cms/posts?${query}`, { token });
    expect(found.length <= titles.length + 1, title).toBe(true);
    titles.push(title);
    if (titles.length % FEED_POSTS === 0) {
      expect(findXmlFault(await readFile(feed))).toBeNull();
    }
  }
  expect(titles.length).toBeGreaterThan(50);
  const [rss, map] = [await readFile(feed), await readFile(sitemap)];
  expect(findXmlFault(rss)).toBeNull();
  expect(rss.match(/<item>/g)).toHaveLength(FEED_POSTS);
  expect(findXmlFault(map)).toBeNull();
  expect(map.match(/<loc>https:\/\/tillway\.example\/blog\/[a-z0-9-]+<\/loc>/g)).toHaveLength(titles.length);
});

it.each(['<a><b></a></b>', '<a>&</a>', '<a>&nbsp;</a>', '<a x="<"/>', '<a>\u0000</a>', '<a>', 'a < b'])(
  'the check of XML finds the fault of %j',
  (xml) => {
    expect(findXmlFault(xml)).not.toBeNull();
  },
);
