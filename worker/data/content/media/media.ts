import type { ArticleKind, ArticleStatus } from '#shared/contracts/content/content';
import { eventStatements, type NewEvent } from '#worker/data/audit/events';
import type { PictureRow } from '#worker/data/content/articles/articles';
import { columnsOf, type Db, type RawRow, rowOf } from '#worker/data/db';
import { media, type StoredVariant } from '#worker/data/schema/content';

export type MediaRow = typeof media.$inferSelect;
export type MediaUseRow = { mediaId: string; kind: ArticleKind; id: string; title: string; status: ArticleStatus };
export type ListedMedia = MediaRow & { uses: MediaUseRow[] };

const isBelowLimit = `(SELECT count(*) FROM media WHERE uploader_id = ?1 AND created_at > ?2) < ?3`;

/** True if a user may upload one more file; insertMedia() counts again in its own statement. */
export const mayUpload = async (
  { $client }: Db,
  userId: string,
  uploadedAfter: number,
  limit: number,
): Promise<boolean> =>
  (await $client.prepare(`SELECT ${isBelowLimit} AS may`).bind(userId, uploadedAfter, limit).first<number>('may')) ===
  1;

/** Insert an uploaded file. False if the user's limit is reached, or if a file with the same content exists. */
export async function insertMedia(
  { $client }: Db,
  row: MediaRow,
  uploadedAfter: number,
  limit: number,
): Promise<boolean> {
  const { results } = await $client
    .prepare(
      `INSERT INTO media (uploader_id, id, key, original_name, mime_type, size, width, height, alt, variants, is_public,
  uploaded_by, created_at, search, hash)
SELECT ?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, 1, ?13, ?14, ?15, ?16 WHERE ${isBelowLimit}
AND NOT EXISTS (SELECT 1 FROM media WHERE size = ?8 AND hash = ?16) RETURNING id`,
    )
    .bind(
      ...[
        row.uploaderId,
        uploadedAfter,
        limit,
        row.id,
        row.key,
        row.originalName,
        row.mimeType,
        row.size,
        row.width,
        row.height,
      ],
      ...[row.alt, JSON.stringify(row.variants), row.uploadedBy, row.createdAt, row.search, row.hash],
    )
    .all();
  return results.length > 0;
}

/** Files of this size (bytes) whose hash is the same or not yet stored; those with the same hash come first. */
export async function findPossibleDuplicates(
  { $client }: Db,
  { size, hash }: Pick<MediaRow, 'size' | 'hash'>,
): Promise<Pick<MediaRow, 'id' | 'key' | 'hash'>[]> {
  const { results } = await $client
    .prepare(`SELECT id, key, hash FROM media WHERE size = ?1 AND hash IN (?2, '') ORDER BY hash DESC LIMIT 10`)
    .bind(size, hash)
    .all<Pick<MediaRow, 'id' | 'key' | 'hash'>>();
  return results;
}

/** Sets the hash of a file that was uploaded before hashes were stored. */
export const saveHash = ({ $client }: Db, id: string, hash: string) =>
  $client.prepare(`UPDATE media SET hash = ?2 WHERE id = ?1 AND hash = ''`).bind(id, hash).run();

/** Images of the media library that a text uses. */
export async function findPicturesOf({ $client }: Db, html: string): Promise<PictureRow[]> {
  const ids = Array.from(html.matchAll(/\/media\/([0-9a-f]{32})/g), ([, id = '']) => id);
  if (ids.length === 0) return [];
  const { results } = await $client
    .prepare(
      `SELECT id, key, alt, width, height, variants FROM media
WHERE id IN (SELECT value FROM json_each(?1)) AND width IS NOT NULL`,
    )
    .bind(JSON.stringify(ids))
    .all<Omit<PictureRow, 'variants'> & { variants: string }>();
  return results.map((row) => ({ ...row, variants: JSON.parse(row.variants) as StoredVariant[] }));
}

const SELECT_USES = `SELECT u.media_id, a.kind, a.id, a.title, a.status FROM article_media u JOIN articles a ON a.id = u.article_id`;
const usesOf = (rows: RawRow[]): MediaUseRow[] =>
  rows.map((raw) => ({
    mediaId: String(raw.media_id),
    kind: raw.kind === 'page' ? 'page' : 'post',
    id: String(raw.id),
    title: String(raw.title),
    status: raw.status === 'PUBLISHED' ? 'PUBLISHED' : 'DRAFT',
  }));

export type MediaQuery = { words: string[]; isImage: boolean; page: number; size: number };

/** A page of the media library, newest first; each file with the articles that use it. */
export async function listMedia(
  { $client }: Db,
  { words, isImage, page, size }: MediaQuery,
): Promise<{ rows: ListedMedia[]; total: number }> {
  const where = `WHERE (?2 = 0 OR m.width IS NOT NULL)
AND NOT EXISTS (SELECT 1 FROM json_each(?1) w WHERE instr(m.search, w.value) = 0)`;
  const filterValues = [JSON.stringify(words), isImage ? 1 : 0];
  const [rows, count] = await $client.batch<RawRow>([
    $client
      .prepare(
        `SELECT ${columnsOf(media, 'm', 'm_')} FROM media m ${where} ORDER BY m.created_at DESC, m.id DESC LIMIT ?3 OFFSET ?4`,
      )
      .bind(...filterValues, size, (page - 1) * size),
    $client.prepare(`SELECT count(*) AS n FROM media m ${where}`).bind(...filterValues),
  ]);
  const files = (rows?.results ?? []).map((raw) => rowOf(media, raw, 'm_'));
  const { results } = await $client
    .prepare(`${SELECT_USES} WHERE u.media_id IN (SELECT value FROM json_each(?1)) ORDER BY a.title`)
    .bind(JSON.stringify(files.map(({ id }) => id)))
    .all<RawRow>();
  const uses = usesOf(results);
  return {
    rows: files.map((row) => ({ ...row, uses: uses.filter(({ mediaId }) => mediaId === row.id) })),
    total: Number(count?.results[0]?.n ?? 0),
  };
}

export async function findMedia({ $client }: Db, id: string): Promise<ListedMedia | null> {
  const [rows, uses] = await $client.batch<RawRow>([
    $client.prepare(`SELECT ${columnsOf(media, 'm', 'm_')} FROM media m WHERE m.id = ?1`).bind(id),
    $client.prepare(`${SELECT_USES} WHERE u.media_id = ?1 ORDER BY a.title`).bind(id),
  ]);
  const [raw] = rows?.results ?? [];
  return raw ? { ...rowOf(media, raw, 'm_'), uses: usesOf(uses?.results ?? []) } : null;
}

/** Increase the site's revision if a published article uses the file; otherwise visitors see no change. */
const increaseSiteRevision = ({ $client }: Db, id: string, now: number) =>
  $client
    .prepare(
      `UPDATE site_state SET revision = revision + 1, changed_at = ?2 WHERE EXISTS (
SELECT 1 FROM article_media u JOIN articles a ON a.id = u.article_id WHERE u.media_id = ?1 AND a.status = 'PUBLISHED')`,
    )
    .bind(id, now);

export async function setAlt(
  db: Db,
  id: string,
  { alt, search }: Pick<MediaRow, 'alt' | 'search'>,
  now: number,
): Promise<boolean> {
  const [, changed] = await db.$client.batch([
    increaseSiteRevision(db, id, now),
    db.$client.prepare('UPDATE media SET alt = ?2, search = ?3 WHERE id = ?1 RETURNING id').bind(id, alt, search),
  ]);
  return (changed?.results.length ?? 0) > 0;
}

export async function deleteMedia(db: Db, id: string, now: number, event: NewEvent): Promise<boolean> {
  const [, , deleted] = await db.$client.batch([
    increaseSiteRevision(db, id, now),
    eventStatements(
      db.$client,
      event,
      `SELECT id AS subject_id, json_object('key', key) AS before, '' AS after FROM media WHERE id = ?11`,
      [id],
    ),
    db.$client.prepare('DELETE FROM media WHERE id = ?1 RETURNING id').bind(id),
  ]);
  return (deleted?.results.length ?? 0) > 0;
}

/** Uploaded files in R2: `media/{name}`, written once and never changed, so that caches may keep them. */

const pathOf = (key: string) => `media/${key}`;

export async function putFile(
  bucket: R2Bucket,
  key: string,
  parts: Uint8Array<ArrayBuffer>[],
  contentType: string,
  name: string,
): Promise<void> {
  await bucket.put(pathOf(key), new Blob(parts), {
    httpMetadata: { contentType },
    customMetadata: { name: encodeURIComponent(name) },
  });
}

export const headFile = (bucket: R2Bucket, key: string): Promise<R2Object | null> => bucket.head(pathOf(key));

export const getFile = (bucket: R2Bucket, key: string, range?: { offset: number; length: number }) =>
  bucket.get(pathOf(key), range ? { range } : {});

export const deleteFiles = (bucket: R2Bucket, keys: string[]): Promise<void> => bucket.delete(keys.map(pathOf));

/**
 * Copies of uploaded files in the edge cache nearest to a visitor, so that one read from the bucket serves many
 * visitors. Keys are our own addresses without a query; otherwise anyone could fill the cache with copies of one file.
 */
const addressOf = (appUrl: string, key: string) => new URL(`media/${key}`, appUrl).href;

const openCopyCache = () => caches.open('media');

export const findCopy = async (appUrl: string, key: string): Promise<Response | undefined> =>
  (await openCopyCache()).match(addressOf(appUrl, key));

export const saveCopy = async (appUrl: string, key: string, response: Response): Promise<void> =>
  (await openCopyCache()).put(addressOf(appUrl, key), response);

/** Deletes copies at this location only; copies at other locations expire after `s-maxage`. */
export async function deleteCopies(appUrl: string, keys: string[]): Promise<void> {
  const cache = await openCopyCache();
  await Promise.all(keys.map((key) => cache.delete(addressOf(appUrl, key))));
}
