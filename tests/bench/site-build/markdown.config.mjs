import path from 'node:path';
import base from '../../../astro.config.mjs';

/** The same site with content from Markdown files instead of the database, as Astro blogs usually have it. */
export default {
  ...base,
  root: path.resolve(import.meta.dirname, '../../..'),
  vite: {
    ...base.vite,
    plugins: [
      ...(base.vite?.plugins ?? []),
      {
        name: 'content-from-markdown',
        enforce: 'pre',
        load: (id) =>
          id.split('?')[0].replaceAll('\\', '/').endsWith('/site/content/read-site.ts') ? readMarkdown() : undefined,
      },
    ],
  },
};

/** The same shape as read-site.ts returns, from all files of the folder that the measurement has written. */
function readMarkdown() {
  const folder = `/${path.relative(path.resolve(import.meta.dirname, '../../..'), process.env.MARKDOWN_FOLDER ?? '')}`;
  return `
import { cutText, excerptOf } from '/shared/article/excerpt.ts';
const files = import.meta.glob(${JSON.stringify(`${folder}/*.md`)}, { eager: true });
const iso = (at) => new Date(at).toISOString();
const posts = Object.entries(files).map(([file, { frontmatter, compiledContent }]) => ({
  id: file, kind: 'post', slug: frontmatter.slug, title: frontmatter.title, status: 'PUBLISHED', version: 1,
  createdAt: iso(frontmatter.at), updatedAt: iso(frontmatter.at), publishedAt: iso(frontmatter.at),
  picture: null, featuredImage: null, compiledContent, cacheKey: file,
})).sort((one, other) => (one.createdAt < other.createdAt ? 1 : -1));
await Promise.all(posts.map(async (post) => { post.stored = await post.compiledContent(); post.beginning = excerptOf(post.stored, 300); }));
const site = { revision: 1, posts, pages: [], pictures: new Map() };
export const readSite = async () => site;
export const contentOf = async ({ stored }) => stored;
export const beginningOf = ({ beginning }, length) => cutText(beginning, length);
`;
}
