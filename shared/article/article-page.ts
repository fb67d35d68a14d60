import type { ArticleKind, Picture } from '#shared/contracts/content/content';
import type { Page } from '#shared/contracts/content/content-answers';
import { escapeHtml, scriptJson } from '#shared/text/escape';
import { operator } from '../operator.ts';
import { articlePath } from '../paths.ts';
import { summaryTag, titleTag, versionTag } from './article-version.ts';
import { articleDrawing } from './drawing.ts';

/**
 * The values of an article page. The build fills the page with them, and the Worker fills the shell of an article that
 * is not built yet, so both pages look the same. `picture`, `content` and `head` are HTML, the rest is text.
 */
export type ArticleView = {
  title: string;
  version: string;
  dateIso: string;
  date: string;
  picture: string;
  content: string;
  head: string;
};

/** Placeholders in a shell that the Worker replaces. */
export const shellPlaceholders: ArticleView = {
  title: '@@title@@',
  version: '@@version@@',
  dateIso: '@@dateIso@@',
  date: '@@date@@',
  picture: '@@picture@@',
  content: '@@content@@',
  head: '@@head@@',
};

const HTML_PARTS = new Set<keyof ArticleView>(['picture', 'content', 'head']);

/** Fills a shell with an article in a single pass, because the article text may itself contain a placeholder. */
export function fillShell(shell: string, view: ArticleView): string {
  const names = Object.keys(shellPlaceholders).join('|');
  return shell.replace(new RegExp(`@@(${names})@@`, 'g'), (_mark, name: keyof ArticleView) =>
    HTML_PARTS.has(name) ? view[name] : escapeHtml(view[name]),
  );
}

/** `sizes` of an article's pictures: the width in the layout, and the screen width from which it applies. */
const SIZES = { lead: '(min-width: 1104px) 1040px, 100vw', text: '(min-width: 728px) 680px, 100vw' };

/** Returns the `srcset` of a picture: its variants, narrowest first, then the original. */
export const srcsetOf = ({ url, width, variants }: Picture): string =>
  [...variants]
    .sort((a, b) => a.width - b.width)
    .concat([{ url, width, height: 0 }])
    .map((image) => `${image.url} ${image.width}w`)
    .join(', ');

/** `sizes` is 'lead', 'text' or a CSS value. */
export function pictureHtml(picture: Picture, sizes: string, isFirst: boolean): string {
  const attributes = {
    src: picture.url,
    srcset: picture.variants.length > 0 ? srcsetOf(picture) : '',
    sizes: picture.variants.length > 0 ? sizes : '',
    width: String(picture.width),
    height: String(picture.height),
    alt: picture.alt,
    decoding: 'async',
    loading: isFirst ? '' : 'lazy',
    fetchpriority: isFirst ? 'high' : '',
  };
  const attributeTexts = Object.entries(attributes)
    .filter(([name, value]) => value !== '' || name === 'alt')
    .map(([name, value]) => `${name}="${escapeHtml(value)}"`);
  return `<img ${attributeTexts.join(' ')}>`;
}

export const textSizes = SIZES.text;

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric', year: 'numeric' });

/** Formats a day for the site. Some systems emit a narrow no-break space, which our font lacks. */
export const dayOf = (iso: string): string => DAY.format(new Date(iso)).replaceAll('\u202f', '\u00a0');

/** The fields of a post or a page that its view requires. */
export type ViewedArticle = Pick<Page, 'title' | 'slug' | 'version' | 'createdAt' | 'updatedAt' | 'publishedAt'> & {
  picture?: Picture | null;
};

type ViewContext = {
  /** The site's own origin. */
  origin: string;
  /** The beginning of the text, without markup. */
  summary: string;
  /** The text as HTML, ready to show. */
  content: string;
};

export function viewArticle(
  kind: ArticleKind,
  article: ViewedArticle,
  { origin, summary, content }: ViewContext,
): ArticleView {
  const picture = article.picture ?? null;
  return {
    title: article.title,
    version: String(article.version),
    dateIso: article.createdAt,
    date: dayOf(article.createdAt),
    picture: `<figure class="article-picture">${picture ? pictureHtml(picture, SIZES.lead, true) : articleDrawing(article.slug)}</figure>`,
    content,
    head: headOf(kind, article, picture, { origin, summary }),
  };
}

function headOf(
  kind: ArticleKind,
  article: ViewedArticle,
  picture: Picture | null,
  { origin, summary }: Omit<ViewContext, 'content'>,
): string {
  const url = `${origin}${articlePath(kind, article.slug)}`;
  const image = picture ? `${origin}${picture.url}` : '';
  const socialImage = picture ? { ...picture, url: image } : sitePicture(origin);
  const isPost = kind === 'post';
  const times = isPost
    ? [
        propertyTag('article:published_time', article.publishedAt ?? article.createdAt),
        propertyTag('article:modified_time', article.updatedAt),
      ]
    : [];
  return [
    versionTag(article.version),
    ...socialTags({
      title: article.title,
      description: summary,
      url,
      type: isPost ? 'article' : 'website',
      image: socialImage,
    }),
    ...times,
    jsonLd(
      isPost
        ? {
            '@type': 'BlogPosting',
            headline: article.title,
            description: summary,
            url,
            mainEntityOfPage: url,
            datePublished: article.publishedAt ?? article.createdAt,
            dateModified: article.updatedAt,
            ...(image ? { image } : {}),
            author: { '@type': 'Organization', name: operator.name, url: origin },
            publisher: { '@type': 'Organization', name: operator.name, url: origin },
          }
        : { '@type': 'WebPage', name: article.title, description: summary, url, dateModified: article.updatedAt },
    ),
  ].join('');
}

const propertyTag = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}">`;
const nameTag = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}">`;

export type Social = {
  title: string;
  description: string;
  url: string;
  type: 'article' | 'website';
  image: Pick<Picture, 'url' | 'alt' | 'width' | 'height'>;
};

/** The preview picture for links to pages that have none of their own. */
export const sitePicture = (origin: string): Social['image'] => ({
  url: `${origin}/social.png`,
  alt: 'An invoice, a card reader, and the line that joins them to a check mark',
  width: 1200,
  height: 630,
});

/** Tags that search engines and link previews read. */
export function socialTags({ title, description, url, type, image }: Social): string[] {
  return [
    summaryTag(description),
    `<link rel="canonical" href="${escapeHtml(url)}">`,
    propertyTag('og:site_name', operator.name),
    propertyTag('og:type', type),
    titleTag(title),
    propertyTag('og:description', description),
    propertyTag('og:url', url),
    propertyTag('og:image', image.url),
    propertyTag('og:image:alt', image.alt),
    propertyTag('og:image:width', String(image.width)),
    propertyTag('og:image:height', String(image.height)),
    nameTag('twitter:card', 'summary_large_image'),
  ];
}

export const jsonLd = (data: Record<string, unknown>): string =>
  `<script type="application/ld+json">${scriptJson({ '@context': 'https://schema.org', ...data })}</script>`;
