import * as z from 'zod/mini';
import { MediaItem } from '#shared/contracts/content/content';
import { DeletedReply, SameFile, type SameFileReply } from '#shared/contracts/content/content-answers';
import { AltBody, MediaListQuery, UploadFields } from '#shared/contracts/content/content-request';
import { contentLimits } from '#shared/limits';
import { mediaPath } from '#shared/paths';
import { foldText } from '#shared/text/fold-text';
import { findMedia, type ListedMedia, listMedia, setAlt } from '#worker/data/content/media/media';
import type { Deps } from '#worker/deps';
import { iso } from '#worker/domain/content/articles/present';
import { searchWords } from '#worker/domain/content/articles/save';
import { deleteMediaFile, uploadMedia } from '#worker/domain/content/media/media-file';
import { requestBuild } from '#worker/domain/content/publishing/build';
import { refuseTooManyFiles } from '#worker/http/read/article';
import { filesOf, readForm, textFieldsOf } from '#worker/http/read/form';
import { parseInput, refuseInvalid } from '#worker/http/read/json';
import { apiError } from '#worker/http/reply/errors';
import { describeRefusal } from '#worker/http/reply/file-refusal';
import { sendPage } from '#worker/http/reply/list';
import { runToCompletion } from '#worker/http/reply/run-to-completion';
import { type C, type MemberRequest, type Routes, route } from '#worker/http/routes';

/** Routes of the media library. */
export const cmsMediaRoutes: Routes = {
  'GET /api/cms/media': route({
    access: 'editor',
    summary: 'List media files',
    query: MediaListQuery,
    isList: true,
    answers: { 200: z.array(MediaItem) },
    handle: getList,
  }),
  'POST /api/cms/media/upload': route({
    access: 'editor',
    summary: 'Upload a media file',
    body: { form: UploadFields, files: { file: 'one', variants: 'several' } },
    answers: { 201: MediaItem },
    errors: [409, 429],
    errorFields: { 409: SameFile },
    handle: postUpload,
  }),
  'GET /api/cms/media/:id': route({
    access: 'editor',
    summary: 'Show a media file',
    answers: { 200: MediaItem },
    handle: ({ c, deps }) => mediaReply(c, deps),
  }),
  'PUT /api/cms/media/:id': route({
    access: 'editor',
    summary: 'Update the alt text of a media file',
    body: AltBody,
    answers: { 200: MediaItem },
    handle: putAlt,
  }),
  'DELETE /api/cms/media/:id': route({
    access: 'editor',
    summary: 'Delete a media file',
    answers: { 200: DeletedReply },
    handle: deleteMedia,
  }),
};

const idOf = (c: C) => c.req.param('id') ?? '';
const notFound = (c: C) => apiError(c, 404, 'not-found', 'File not found');

const toMediaItem = (row: ListedMedia): MediaItem => ({
  id: row.id,
  originalName: row.originalName,
  mimeType: row.mimeType,
  size: row.size,
  localUrl: mediaPath(row.key),
  isPublic: row.isPublic,
  alt: row.alt,
  width: row.width,
  height: row.height,
  variants: row.variants.map(({ key, width, height }) => ({ url: mediaPath(key), width, height })),
  createdAt: iso(row.createdAt),
  uploadedBy: row.uploadedBy,
  usedIn: row.uses.map(({ kind, id, title, status }) => ({ kind, id, title, status })),
});

async function getList({ c, deps, query }: MemberRequest<unknown, typeof MediaListQuery>): Promise<Response> {
  const { page, size, q, type } = query;
  const words = searchWords(q);
  const { rows, total } = await listMedia(deps.db, { words, isImage: type === 'image', page, size });
  return sendPage(c, rows.map(toMediaItem), { total, page, size });
}

async function mediaReply(c: C, deps: Deps): Promise<Response> {
  const media = await findMedia(deps.db, idOf(c));
  return media ? c.json(toMediaItem(media)) : notFound(c);
}

async function postUpload({ c, deps, member }: MemberRequest): Promise<Response> {
  const body = await readForm(c, contentLimits.upload + contentLimits.otherParts);
  if ('refusal' in body) return body.refusal;
  const fields = parseInput(c, UploadFields, textFieldsOf(body.form));
  if ('refusal' in fields) return fields.refusal;
  const [file, extraFile] = filesOf(body.form, 'file');
  if (!file) return refuseInvalid(c, { file: 'Please choose a file.' });
  if (extraFile) return refuseInvalid(c, { file: 'Please send one file at a time.' });
  const variants = filesOf(body.form, 'variants');
  const outcome = await uploadMedia(deps, member, { file, alt: fields.data.alt, variants, isImageOnly: false });
  switch (outcome.kind) {
    case 'uploaded':
      return c.json(toMediaItem({ ...outcome.media, uses: [] }), 201);
    case 'there-already': {
      const extra: Omit<SameFileReply, 'error'> = { same: toMediaItem(outcome.media) };
      return apiError(
        c,
        409,
        'conflict',
        `The library already has this file, as ${outcome.media.originalName}.`,
        extra,
      );
    }
    case 'too-large':
      return apiError(c, 413, 'too-large', 'File is too large.');
    case 'too-many':
      return refuseTooManyFiles(c);
    case 'refused':
      return refuseInvalid(c, { file: describeRefusal(outcome.reason, 'PNG, JPEG, WebP or GIF image, or a PDF') });
    case 'wrong-variant':
      return refuseInvalid(c, { variants: 'The smaller copies do not match the image.' });
  }
}

async function putAlt({ c, deps, body }: MemberRequest<typeof AltBody>): Promise<Response> {
  const media = await findMedia(deps.db, idOf(c));
  const { alt } = body;
  const text = { alt, search: foldText(`${media?.originalName} ${alt}`) };
  if (!(await setAlt(deps.db, idOf(c), text, deps.now()))) return notFound(c);
  runToCompletion(c, requestBuild(deps, 'picture-changed'));
  return mediaReply(c, deps);
}

async function deleteMedia({ c, deps, member }: MemberRequest): Promise<Response> {
  if (!(await deleteMediaFile(deps, member, idOf(c)))) return notFound(c);
  runToCompletion(c, requestBuild(deps, 'picture-changed'));
  return c.json({ id: idOf(c) } satisfies DeletedReply);
}
