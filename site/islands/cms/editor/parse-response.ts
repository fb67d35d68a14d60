import * as z from 'zod/mini';
import {
  Article,
  Draft,
  Edited,
  Picture,
  PreviewReply,
  Revision,
  RevisionText,
} from '#shared/contracts/content/content';
import { readWith } from '#site/islands/ui/api/read-with.ts';

/** A post, or a page, which is a post without its picture. */
export const Item = z.object({
  ...Article.shape,
  ...Edited.shape,
  featuredImage: z.optional(z.nullable(z.string())),
  picture: z.optional(z.nullable(Picture)),
});
export type Item = z.infer<typeof Item>;

const Detail = z.object({ ...Item.shape, draft: z.nullable(Draft) });
export type Detail = z.infer<typeof Detail>;

export const readDetail = readWith(Detail);
export const readDraft = readWith(Draft);
export const readRevisions = readWith(z.array(Revision));
export const readRevision = readWith(RevisionText);
export const readPreview = readWith(PreviewReply);
