import { contentLimits } from '#shared/limits';
import { foldText } from '#shared/text/fold-text';
import {
  deleteCopies,
  deleteFiles,
  deleteMedia,
  findMedia,
  findPossibleDuplicates,
  getFile,
  insertMedia,
  type ListedMedia,
  type MediaRow,
  mayUpload,
  putFile,
  saveHash,
} from '#worker/data/content/media/media';
import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { auditEvent } from '#worker/domain/audit/event';
import type { Member } from '#worker/domain/content/accounts/session';
import { type FileRefusal, readUpload, type Upload } from '#worker/files/read-upload';

/** SHA-256 of a file's parts. A single part is not copied, to save memory with large files. */
export function hashOf({ sha256 }: Deps, parts: Uint8Array[], size: number): Promise<string> {
  const [first] = parts;
  if (first && parts.length === 1) return sha256(first);
  const joinedBytes = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    joinedBytes.set(part, offset);
    offset += part.length;
  }
  return sha256(joinedBytes);
}

/**
 * The library's file with these bytes: `size` in bytes, `hash` from hashOf(). Older files without a hash are hashed
 * now.
 */
export async function findDuplicate(deps: Deps, file: { size: number; hash: string }): Promise<ListedMedia | null> {
  for (const { id, key, hash } of await findPossibleDuplicates(deps.db, file)) {
    if ((hash || (await hashStoredFile(deps, id, key))) === file.hash) return findMedia(deps.db, id);
  }
  return null;
}

async function hashStoredFile({ db, media, sha256 }: Deps, id: string, key: string): Promise<string | null> {
  const storedFile = await getFile(media, key);
  if (!storedFile) return null;
  const hash = await sha256(new Uint8Array(await storedFile.arrayBuffer()));
  await saveHash(db, id, hash);
  return hash;
}

export type NewFile = { file: File; alt: string; variants: File[]; isImageOnly: boolean };

export type UploadOutcome =
  | { kind: 'uploaded'; media: MediaRow }
  /** The library already has these bytes; nothing was stored. */
  | { kind: 'there-already'; media: ListedMedia }
  | { kind: 'too-large' }
  | { kind: 'too-many' }
  /** The content is not accepted, regardless of the file's name. */
  | { kind: 'refused'; reason: FileRefusal }
  | { kind: 'wrong-variant' };

const DAY_MS = 86_400_000;

/**
 * Stores a file in the library under a random name, unless its bytes are already there. Metadata in pictures is
 * dropped. A variant must be narrower and have the same proportions; its content cannot be checked.
 */
export async function uploadMedia(deps: Deps, { user }: Member, input: NewFile): Promise<UploadOutcome> {
  const { db, media: bucket, settings, now } = deps;
  if (input.file.size > contentLimits.upload) return { kind: 'too-large' };
  const since = now() - DAY_MS;
  if (!(await mayUpload(db, user.id, since, settings.UPLOADS_PER_DAY))) return { kind: 'too-many' };
  const upload = await readFileUpload(input.file);
  if (typeof upload === 'string') return { kind: 'refused', reason: upload };
  if (input.isImageOnly && !upload.image) return { kind: 'refused', reason: 'unknown-type' };
  const variants = await readVariants(input.variants, upload);
  if (!variants) return { kind: 'wrong-variant' };
  const size = upload.parts.reduce((sum, part) => sum + part.length, 0);
  const hash = await hashOf(deps, upload.parts, size);
  const duplicate = await findDuplicate(deps, { size, hash });
  if (duplicate) return { kind: 'there-already', media: duplicate };

  const id = deps.newId();
  const key = `${id}.${upload.extension}`;
  const name = cleanName(input.file.name, upload.extension);
  const storedVariants = variants.map((variant) => ({
    key: `${id}-${variant.image.width}.${variant.extension}`,
    ...variant.image,
  }));
  const files = [
    { key, upload },
    ...variants.map((variant, index) => ({ key: storedVariants[index]?.key ?? '', upload: variant })),
  ];
  for (const file of files) await putFile(bucket, file.key, file.upload.parts, file.upload.type, name);
  const row: MediaRow = {
    id,
    key,
    originalName: name,
    mimeType: upload.type,
    size,
    width: upload.image?.width ?? null,
    height: upload.image?.height ?? null,
    alt: input.alt,
    variants: storedVariants,
    isPublic: true,
    uploadedBy: user.name,
    uploaderId: user.id,
    createdAt: now(),
    search: foldText(`${name} ${input.alt}`),
    hash,
  };
  if (!(await insertMedia(db, row, since, settings.UPLOADS_PER_DAY))) {
    await deleteFiles(
      bucket,
      files.map((file) => file.key),
    );
    const existing = await findDuplicate(deps, { size, hash });
    return existing ? { kind: 'there-already', media: existing } : { kind: 'too-many' };
  }
  deps.log.info('media-uploaded', { mediaId: id, type: upload.type, size: row.size });
  return { kind: 'uploaded', media: row };
}

const readFileUpload = async (file: File) => readUpload(new Uint8Array(await file.arrayBuffer()));

type Variant = Upload & { image: { width: number; height: number } };

/** Null if the variants do not fit the picture. Those of an animated picture are dropped, since they would not move. */
async function readVariants(files: File[], { image, type, isAnimated }: Upload): Promise<Variant[] | null> {
  if (files.length === 0 || isAnimated) return [];
  if (!image || type === 'image/gif' || files.length > contentLimits.variants) return null;
  const variants: Variant[] = [];
  for (const file of files) {
    const variant = await readFileUpload(file);
    if (typeof variant === 'string' || !variant.image || variant.type === 'image/gif') return null;
    if (variant.image.width >= image.width) return null;
    const expected = (variant.image.width * image.height) / image.width;
    if (Math.abs(variant.image.height - expected) > 2) return null;
    if (variants.some((other) => other.image.width === variant.image?.width)) return null;
    variants.push({ ...variant, image: variant.image });
  }
  return variants;
}

const MAX_NAME_LENGTH = 150;

/** A file's display name: one line, no path, no characters that are unsafe in headers or on other systems. */
export function cleanName(name: string, extension: string): string {
  const base = name
    // Browsers escape characters that would end the name in a form.
    .replace(/%(?:22|0d|0a)/gi, ' ')
    .normalize('NFC')
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069"<>|:*?%;]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  if (!base) return `file.${extension}`;
  if (base.length <= MAX_NAME_LENGTH) return base;
  return `${Array.from(base)
    .slice(0, MAX_NAME_LENGTH - 10)
    .join('')}.${extension}`;
}

/** Deletes a file of the library with its variants; articles that use it are unchanged. False if there is none. */
export async function deleteMediaFile(deps: Deps, { user }: Member, id: string): Promise<boolean> {
  const row = await findMedia(deps.db, id);
  const event = auditEvent(deps, { accountId: INSTALLATION, action: 'media.deleted', subject: ['media', id] });
  if (!row || !(await deleteMedia(deps.db, id, deps.now(), event))) return false;
  const keys = [row.key, ...row.variants.map(({ key }) => key)];
  await deleteFiles(deps.media, keys);
  await deleteCopies(deps.settings.APP_URL, keys);
  deps.log.info('media-deleted', { mediaId: id, userId: user.id, used: row.uses.length });
  return true;
}
