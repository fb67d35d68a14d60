import type { Context } from 'hono';
import { ArticleBody } from '#shared/contracts/content/content-request';
import { contentLimits } from '#shared/limits';
import type { Deps, Env } from '#worker/deps';
import type { Member } from '#worker/domain/content/accounts/session';
import type { ArticleText } from '#worker/domain/content/articles/save';
import { uploadMedia } from '#worker/domain/content/media/media-file';
import { apiError } from '#worker/http/reply/errors';
import { describeRefusal } from '#worker/http/reply/file-refusal';
import { filesOf, readForm, textFieldsOf } from './form.ts';
import { parseInput, readJson, refuseInvalid } from './json.ts';

type C = Context<{ Bindings: Env }>;
/** `uploadedId`: the id of the picture that was sent with the form and added to the library. */
type ArticleInput = { text: ArticleText; uploadedId?: string } | { refusal: Response };

/** The limit (bytes) for a picture, three narrower copies and the text fields. */
const MAX_FORM_BYTES = contentLimits.upload + contentLimits.otherParts;

/** Returns the version in If-Match. An invalid value counts as older than any version. */
export function ifMatchVersionOf(c: C): number | undefined {
  const header = c.req.header('if-match');
  if (header === undefined || header === '*') return undefined;
  return Number(/^(?:W\/)?"?(\d{1,15})"?$/.exec(header)?.[1] ?? 0);
}

/** Reads the JSON body of a page. */
export async function readPageBody(c: C): Promise<ArticleInput> {
  const body = await readJson(c, ArticleBody);
  if ('refusal' in body) return body;
  return { text: body.data };
}

/** Reads the form of a post. Adds its picture to the library once the other fields are valid. */
export async function readPostBody(c: C, deps: Deps, member: Member): Promise<ArticleInput> {
  const body = await readForm(c, MAX_FORM_BYTES);
  if ('refusal' in body) return body;
  const fields = parseInput(c, ArticleBody, textFieldsOf(body.form));
  if ('refusal' in fields) return fields;
  const { featuredImageId, featuredImageAlt, ...texts } = fields.data;
  const text: ArticleText = texts;
  if (featuredImageId !== undefined) text.pictureId = featuredImageId === '' ? null : featuredImageId;
  const [file, extraFile] = filesOf(body.form, 'featuredImage');
  if (!file) return { text };
  if (extraFile) return { refusal: refuseInvalid(c, { featuredImage: 'Please choose one image.' }) };
  if (new TextEncoder().encode(text.content).length > contentLimits.content) return { refusal: refuseTooLong(c) };
  const outcome = await uploadMedia(deps, member, {
    file,
    alt: featuredImageAlt,
    variants: filesOf(body.form, 'featuredImageVariants'),
    isImageOnly: true,
  });
  switch (outcome.kind) {
    case 'uploaded':
      return { text: { ...text, pictureId: outcome.media.id }, uploadedId: outcome.media.id };
    // The picture was already in the library, so it is kept even if the post is refused.
    case 'there-already':
      return { text: { ...text, pictureId: outcome.media.id } };
    case 'too-large':
      return { refusal: apiError(c, 413, 'too-large', 'File is too large.') };
    case 'too-many':
      return { refusal: refuseTooManyFiles(c) };
    case 'refused':
      return {
        refusal: refuseInvalid(c, { featuredImage: describeRefusal(outcome.reason, 'PNG, JPEG, WebP or GIF image') }),
      };
    case 'wrong-variant':
      return { refusal: refuseInvalid(c, { featuredImageVariants: 'The smaller copies do not match the image.' }) };
  }
}

const refuseTooLong = (c: C) => apiError(c, 413, 'too-large', 'Content is too long.', { fields: ['content'] });

export function refuseTooManyFiles(c: Context): Response {
  c.header('retry-after', '3600');
  return apiError(c, 429, 'too-many', 'You have reached today’s limit for uploads. Please continue tomorrow.');
}
