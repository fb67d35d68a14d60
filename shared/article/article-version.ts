import { versionMeta } from '#shared/contracts/content/content-values';
import { scriptJson } from '#shared/text/escape';

export const versionTag = (version: number | string): string => `<meta name="${versionMeta}" content="${version}">`;
// Parsed as text: DOMParser would apply the reading page's content policy to the other page's styles.
const VERSION = new RegExp(versionTag('(\\d+)'));

/** The version that a page shows; undefined if it is no article's page. */
export function versionOf(html: string): number | undefined {
  const version = VERSION.exec(html)?.[1];
  return version === undefined ? undefined : Number(version);
}

/**
 * True if a page shows this version of the article. The time tells it from a deleted article that had the same address
 * and version number.
 */
export const showsArticle = (html: string, { version, updatedAt }: { version: number; updatedAt: string }): boolean =>
  versionOf(html) === version && html.includes(`"dateModified":${scriptJson(updatedAt)}`);
