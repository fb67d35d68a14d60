import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { escapeHtml } from '#shared/text/escape';
import type { Env } from '#worker/deps';

/** Values that the Worker writes into a built page. */
export type PageFill = {
  /** `data-fill` name → text; null removes the element whose `data-row` has that name. */
  texts: Record<string, string | null>;
  /** `data-href` name → address; null removes the element. */
  links?: Record<string, string | null>;
  /** `data-src` name → address; null removes the element. */
  images?: Record<string, string | null>;
  /** `data-list` name → one fill per row; the element is the row's template. */
  lists?: Record<string, Record<string, string>[]>;
  /** The `data-state` section to keep; the others are removed. */
  state?: string;
  /** Element id → content of a JSON script. */
  json?: Record<string, string>;
};

type Template = { html: string; scriptHashes: string[]; styleHashes: string[] };

// A deployment starts new isolates, so a built page never changes while it is cached here.
const templates = new Map<string, Template>();

/**
 * Loads a built page as text, with the hashes of its inline scripts and styles. Removes its CSP element, which a header
 * replaces.
 */
async function loadTemplate(c: Context<{ Bindings: Env }>, path: string): Promise<Template> {
  const cached = templates.get(path);
  if (cached) return cached;
  const response = await builtPage(c, path);
  if (!response.ok) throw new Error(`no built page at ${path}: ${response.status}`);
  const html = (await response.text()).replace(/<meta http-equiv="content-security-policy"[^>]*>/i, '');
  const template = {
    html,
    scriptHashes: await hashesOf(
      html,
      /<script(?![^>]*\b(?:src=|type="application\/json"))[^>]*>([\s\S]*?)<\/script>/g,
    ),
    styleHashes: await hashesOf(html, /<style[^>]*>([\s\S]*?)<\/style>/g),
  };
  if (!import.meta.env.DEV) templates.set(path, template);
  return template;
}

/** True on Astro's dev server, where the Worker gets every request and Astro renders the pages on demand. */
export const isDevServer = (): boolean => import.meta.env.DEV && import.meta.env.MODE !== 'test';

/** Returns a page as a static asset, or as rendered by the dev server. */
export async function builtPage(c: Context<{ Bindings: Env }>, path: string): Promise<Response> {
  const url = new URL(path, c.req.url);
  // The condition of isDevServer() is repeated here, because only then can the build drop this branch.
  if (import.meta.env.DEV && import.meta.env.MODE !== 'test') {
    const { handle } = await import('@astrojs/cloudflare/handler');
    const request = new Request(url, { headers: c.req.raw.headers });
    const page = (await handle(request as never, c.env as never, c.executionCtx as never)) as unknown as Response;
    // The response is copied, because the headers of a fetched response are immutable.
    return new Response(page.body, page);
  }
  return c.env.ASSETS.fetch(url.toString());
}

/** Sends a built page unchanged, with the cookies that were set for this request. */
export async function sendBuiltPage(
  c: Context<{ Bindings: Env }>,
  path: string,
  { status, headers = {} }: { status?: ContentfulStatusCode; headers?: Record<string, string> } = {},
): Promise<Response> {
  const page = await builtPage(c, path);
  const allHeaders = { ...Object.fromEntries(page.headers), ...headers };
  return c.body(page.body ?? '', status ?? (page.status as ContentfulStatusCode), allHeaders);
}

async function hashesOf(html: string, pattern: RegExp): Promise<string[]> {
  const hashes: string[] = [];
  for (const [, text = ''] of html.matchAll(pattern)) {
    if (!text) continue;
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
    hashes.push(`'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`);
  }
  return [...new Set(hashes)];
}

export type PageOptions = {
  status?: number;
  headers?: Record<string, string>;
  /** Other origins whose scripts, frames and calls the policy of the page permits. */
  origins?: readonly string[];
};

/** Fills a built page and sends it with its CSP header. */
export async function sendFilledPage(
  c: Context<{ Bindings: Env }>,
  path: string,
  fill: PageFill,
  { status = 200, headers = {}, origins = [] }: PageOptions = {},
): Promise<Response> {
  const template = await loadTemplate(c, path);
  const page = fillElements(new Response(repeatRows(template.html, fill.lists ?? {})), fill);
  // The page is sent through the context, so that cookies set earlier are sent too.
  return c.body(page.body ?? '', status as ContentfulStatusCode, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
    ...(import.meta.env.DEV ? {} : { 'content-security-policy': contentPolicy(template, origins) }),
    'reporting-endpoints': 'csp="/api/csp-report"',
    ...headers,
  });
}

function contentPolicy({ scriptHashes, styleHashes }: Template, origins: readonly string[]): string {
  const list = (name: string, ...sources: string[]) => [name, ...sources].join(' ');
  return [
    list('default-src', "'none'"),
    list('script-src', "'self'", ...scriptHashes, ...origins),
    list('style-src', "'self'", ...styleHashes),
    list('img-src', "'self'", 'data:', 'blob:'),
    list('font-src', "'self'"),
    list('connect-src', "'self'", ...origins),
    list('frame-src', ...(origins.length > 0 ? origins : ["'none'"])),
    list('manifest-src', "'self'"),
    list('base-uri', "'none'"),
    list('object-src', "'none'"),
    list('form-action', "'self'"),
    list('frame-ancestors', "'none'"),
    'report-uri /api/csp-report',
    'report-to csp',
  ].join('; ');
}

/** Repeats each row template for its rows, and fills the `data-fill` elements of each row. */
function repeatRows(template: string, lists: Record<string, Record<string, string>[]>): string {
  return template.replace(
    /<(\w+)([^>]*)\sdata-list="(\w+)"([^>]*)>([\s\S]*?)<\/\1>/g,
    (_all, tag: string, headAttributes: string, name: string, tailAttributes: string, inner: string) =>
      (lists[name] ?? [])
        .map((row) => `<${tag}${headAttributes}${tailAttributes}>${fillRow(inner, row)}</${tag}>`)
        .join(''),
  );
}

const fillRow = (inner: string, row: Record<string, string>) =>
  inner.replace(
    /\sdata-fill="(\w+)"([^>]*)>[^<]*/g,
    (_all, name: string, attributes: string) => `${attributes}>${escapeHtml(row[name] ?? '')}`,
  );

function fillElements(page: Response, fill: PageFill): Response {
  const { texts, links = {}, images = {}, json = {} } = fill;
  const attributeOf = (element: Element, attribute: string) => element.getAttribute(attribute) ?? '';
  /** Returns a handler that sets a URL attribute, or removes the element if there is no URL. */
  const urlHandler = (values: Record<string, string | null>, attribute: string, target: string) => ({
    element(element: Element) {
      const value = values[attributeOf(element, attribute)];
      if (value) element.setAttribute(target, value);
      else element.remove();
    },
  });
  return new HTMLRewriter()
    .on('[data-state]', {
      element(element) {
        if (attributeOf(element, 'data-state') !== fill.state) element.remove();
      },
    })
    .on('[data-row]', {
      element(element) {
        if (texts[attributeOf(element, 'data-row')] === null) element.remove();
      },
    })
    .on('[data-fill]', {
      element(element) {
        const text = texts[attributeOf(element, 'data-fill')];
        if (text) element.setInnerContent(text);
      },
    })
    .on('[data-href]', urlHandler(links, 'data-href', 'href'))
    .on('[data-src]', urlHandler(images, 'data-src', 'src'))
    .on('script[type="application/json"]', {
      element(element) {
        const text = json[attributeOf(element, 'id')];
        // scriptJson has already escaped it for a script element.
        if (text !== undefined) element.setInnerContent(text, { html: true });
      },
    })
    .transform(page);
}
