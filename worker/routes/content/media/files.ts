import { findCopy, getFile, headFile, saveCopy } from '#worker/data/content/media/media';
import { apiError } from '#worker/http/reply/errors';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { noBody, type PublicRequest, type Routes, route } from '#worker/http/routes';

/** Matches the names that we generate. Only these are looked up. */
const KEY_PATTERN = /^[0-9a-f]{32}(?:-\d{1,5})?\.(png|jpg|webp|gif|pdf)$/;
const TYPES: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  pdf: 'application/pdf',
};

/** Names are never reused, so browsers cache files for a year. Shared caches drop a deleted file within an hour. */
const CACHE_CONTROL = 'public, max-age=31536000, s-maxage=3600, immutable';

/** The route that serves uploaded files to visitors, with our own content type and in a sandbox without scripts. */
export const mediaRoutes: Routes = {
  'GET /media/:key': route({
    access: 'anyone',
    summary: 'Download a media file',
    answers: {
      200: [{ media: 'image/*' }, { media: 'application/pdf' }],
      206: [{ media: 'image/*' }, { media: 'application/pdf' }],
      304: noBody,
      416: noBody,
    },
    handle: getMedia,
  }),
};

async function getMedia({
  c,
  deps: {
    media,
    settings: { APP_URL },
  },
}: PublicRequest): Promise<Response> {
  const key = c.req.param('key') ?? '';
  const extension = KEY_PATTERN.exec(key)?.[1];
  const isPlain = c.req.method === 'GET' && !c.req.header('range') && !c.req.header('if-none-match');
  const cachedCopy = extension && isPlain ? await findCopy(APP_URL, key) : undefined;
  if (cachedCopy) return new Response(cachedCopy.body, cachedCopy);
  const head = extension ? await headFile(media, key) : null;
  if (!extension || !head) return apiError(c, 404, 'not-found', 'File not found');

  const headers: Record<string, string> = {
    'content-type': TYPES[extension] ?? '',
    'cache-control': CACHE_CONTROL,
    'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'content-disposition': contentDisposition(extension, head.customMetadata?.name ?? ''),
    'accept-ranges': 'bytes',
    etag: head.httpEtag,
  };
  if (c.req.header('if-none-match')?.includes(head.httpEtag)) return c.body(null, 304, headers);
  const condition = c.req.header('if-range');
  const rangeHeader = condition === undefined || condition === head.httpEtag ? c.req.header('range') : undefined;
  const range = rangeHeader === undefined ? undefined : parseRange(rangeHeader, head.size);
  if (range === null) {
    return c.body(null, 416, { ...headers, 'cache-control': 'no-store', 'content-range': `bytes */${head.size}` });
  }
  const { offset, length } = range ?? { offset: 0, length: head.size };
  headers['content-length'] = String(length);
  if (range) headers['content-range'] = `bytes ${offset}-${offset + length - 1}/${head.size}`;
  const status = range ? 206 : 200;
  if (c.req.method === 'HEAD') return c.body(null, status, headers);
  const object = await getFile(media, key, range);
  if (!object) return apiError(c, 404, 'not-found', 'File not found');
  const answer = c.body(object.body, status, headers);
  if (isPlain) runToCompletion(c, saveCopy(APP_URL, key, answer.clone()));
  return answer;
}

/**
 * Returns the requested byte range if there is exactly one. Returns undefined if the header may be ignored, and null if
 * the range is unsatisfiable.
 */
function parseRange(header: string, size: number): { offset: number; length: number } | null | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    const length = Math.min(Number(last), size);
    return length === 0 ? null : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (last !== '' && Number(last) < offset) return undefined;
  return offset >= size ? null : { offset, length: end - offset + 1 };
}

/**
 * Pictures are displayed and documents are downloaded, because a browser's viewer cannot open documents in a sandbox.
 */
const contentDisposition = (extension: string, name: string): string =>
  `${extension === 'pdf' ? 'attachment' : 'inline'}; filename="file.${extension}"${name ? `; filename*=UTF-8''${downloadName(name, extension)}` : ''}`;

/** Any other text after a dot belongs to the name, as in "Dr. St.Louis". */
const KNOWN_EXTENSION =
  /\.(?:pdf|png|jpe?g|jfif|gif|webp|avif|heic|bmp|tiff?|svg|html?|xml|txt|rtf|csv|docx?|xlsx?|pptx?|od[pst]|eml|msg|zip|exe|msi|cmd|bat|scr|ps1|vbs|js|jar|dmg|sh|php|lnk|hta)$/i;

/**
 * Returns the uploader's file name, percent-encoded, with our extension, because operating systems choose the program
 * for a saved file by its extension alone.
 */
function downloadName(name: string, extension: string): string {
  const base = decodeURIComponent(name).replace(KNOWN_EXTENSION, '');
  // The correct extension may remain after a false one is removed.
  const hasExtension = base.toLowerCase().endsWith(`.${extension}`);
  return encodeURIComponent(hasExtension ? base : `${base || 'file'}.${extension}`);
}
