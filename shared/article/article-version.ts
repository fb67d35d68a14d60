import { versionMeta } from '#shared/contracts/content/content-values';
import { escapeHtml } from '#shared/text/escape';

export const versionTag = (version: number | string): string => `<meta name="${versionMeta}" content="${version}">`;
// Parsed as text: DOMParser would apply the reading page's content policy to the other page's styles.
const VERSION = new RegExp(versionTag('(\\d+)'));

/** Returns the version that a page shows, or undefined if it is not an article page. */
export function versionOf(html: string): number | undefined {
  const version = VERSION.exec(html)?.[1];
  return version === undefined ? undefined : Number(version);
}

export const titleTag = (title: string): string => `<meta property="og:title" content="${escapeHtml(title)}">`;
export const summaryTag = (summary: string): string => `<meta name="description" content="${escapeHtml(summary)}">`;

/**
 * True if a page shows this version of the article. Title and summary distinguish it from a deleted article with the
 * same address and version number.
 */
export const showsArticle = (html: string, article: { version: number; title: string; summary: string }): boolean =>
  versionOf(html) === article.version &&
  html.includes(titleTag(article.title)) &&
  html.includes(summaryTag(article.summary));
