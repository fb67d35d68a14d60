import type * as z from 'zod/mini';
import type { ListRules } from '#shared/contracts/list-request';

/** Something that is no JSON, by its content type; null: there is no body. */
export type Media = { media: string | null };
type Schema = z.ZodMiniType;
export type Answer = Schema | Media | readonly (Schema | Media)[];

/** A form with fields and files; `files`: how many of each. */
export type Form = { form: z.ZodMiniObject; files: Record<string, 'one' | 'several'> };
export type Body = Schema | Media | Form;

/**
 * What a route takes and answers. Its method, path and callers are in the permissions (worker/security/permissions.ts), and
 * what every route of a kind may answer follows from these (failures.ts).
 */
export type Row = {
  /** A schema of the parameters, or the rules of a list that is paged through. */
  query?: z.ZodMiniObject | ListRules;
  body?: Body;
  /** Refusals beside those that follow from the kind of route. */
  fails?: readonly number[];
  /** What may stand beside the error of these refusals. */
  beside?: Record<number, z.ZodMiniObject>;
  /** Its refusals have this body instead of the one error body. */
  failure?: Schema;
  /** Its rows travel with facts in headers (shared/contracts/list-values.ts). */
  isList?: true;
  [status: number]: Answer;
};

export type Table = Record<string, Row>;

export const nothing: Media = { media: null };
export const page: Media = { media: 'text/html' };
export const csv: Media = { media: 'text/csv' };
export const png: Media = { media: 'image/png' };
export const bytes: Media = { media: 'application/octet-stream' };
export const anything: Media = { media: '*/*' };

export const isMedia = (answer: object): answer is Media => 'media' in answer;
export const isForm = (body: object): body is Form => 'form' in body;
