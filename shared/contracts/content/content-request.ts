import * as z from 'zod/mini';
import { contentLimits, listLimits } from '#shared/limits';
import { cleanLine } from '#shared/text/clean-line';
import { Email, line, MadePasskey, personName, ShownPasskey } from '../person-request.ts';
import { articleListStatuses, articleSortFields, articleStatuses, roles } from './content-values.ts';

/** Request bodies of the content area, validated in the Worker. Forms use only the types. */

const PersonName = personName('Please enter your name.');

const EMPTY = { error: 'Please enter email and password.' };
const credential = z.string(EMPTY).check(z.minLength(1, EMPTY), z.maxLength(1000, EMPTY));
export const LoginBody = z.object({ email: credential, password: credential }, EMPTY);
export type LoginBody = z.input<typeof LoginBody>;

const secretField = (error: string) =>
  z.string({ error }).check(z.minLength(1, { error }), z.maxLength(200, { error }));

/**
 * `setupCode` creates the first owner, and `invitation` (the part of the link after `#invitation=`) an active account.
 * Without either, the account is pending. shared/password-rule checks the password.
 */
export const RegisterBody = z.object({
  name: PersonName,
  email: Email,
  password: z.unknown(),
  confirmPassword: z.optional(z.unknown()),
  setupCode: z.optional(secretField('This set-up code is not valid.')),
  invitation: z.optional(secretField('This invitation is not valid.')),
});
export type RegisterBody = z.input<typeof RegisterBody>;

/** POST /api/auth/forgot: 202 for every address. The email links to /cms/login#reset=… */
export const ForgotBody = z.object({ email: Email });
export type ForgotBody = z.input<typeof ForgotBody>;
/** POST /api/auth/reset: 204, and all sessions of the account end. 410 if the link was used or is over an hour old. */
export const ResetBody = z.object({ reset: secretField('This link is not valid.'), password: z.unknown() });
export type ResetBody = z.input<typeof ResetBody>;
/** PUT /api/auth/password: 204, and all other sessions of the account end. */
export const PasswordBody = z.object({
  current: z
    .string({ error: 'Please enter your current password.' })
    .check(
      z.minLength(1, { error: 'Please enter your current password.' }),
      z.maxLength(1000, { error: 'This is not your current password.' }),
    ),
  password: z.unknown(),
});
export type PasswordBody = z.input<typeof PasswordBody>;
export const InvitationBody = z.object({ invitation: secretField('This invitation is not valid.') });
export type InvitationBody = z.input<typeof InvitationBody>;

const RoleField = z.enum(roles, { error: 'The role must be owner or editor.' });
export const RoleBody = z.object({ role: RoleField });
export type RoleBody = z.input<typeof RoleBody>;
export const InviteBody = z.object({ email: Email, role: RoleField });
export type InviteBody = z.input<typeof InviteBody>;

const NO_TITLE = { error: 'Please enter a title.' };
const Title = z.pipe(
  line(NO_TITLE.error),
  z.string().check(
    z.refine((text) => /[^\s\p{Cf}\p{Z}]/u.test(text), NO_TITLE),
    z.maxLength(contentLimits.title, { error: `Please enter a title of at most ${contentLimits.title} characters.` }),
  ),
);
const Content = z.string({ error: 'The content must be text.' });
const Slug = z
  .string({ error: 'The address must be text.' })
  .check(z.maxLength(300, { error: 'The address is too long.' }));
const Version = z.coerce
  .number({ error: 'The version must be a number.' })
  .check(z.int({ error: 'The version must be a number.' }), z.gte(0, { error: 'The version must be a number.' }));
const Alt = z.pipe(
  line('The description must be text.'),
  z
    .string()
    .check(z.maxLength(contentLimits.alt, { error: `Please describe it in at most ${contentLimits.alt} characters.` })),
);

const EXCERPT_ERROR = `Please write an excerpt of at most ${contentLimits.excerpt} characters.`;
/** One line of plain text. */
const Excerpt = z.pipe(
  z.pipe(
    z.string({ error: 'The excerpt must be text.' }),
    z.transform((text: string) => cleanLine(text).replace(/\s+/g, ' ')),
  ),
  z.string().check(z.maxLength(contentLimits.excerpt, { error: EXCERPT_ERROR })),
);

const NO_TIME = { error: 'Please give day and time.' };
/** An ISO 8601 time in UTC; the empty text clears it. */
const Moment = z.pipe(
  z.pipe(
    z.string(NO_TIME).check(z.regex(/^$|^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z$/, NO_TIME)),
    z.transform((text: string) => (text === '' ? null : Date.parse(text))),
  ),
  z.nullable(z.int(NO_TIME)),
);

const PictureId = z
  .string({ error: 'The picture must be one of the library.' })
  .check(z.maxLength(64, { error: 'The picture must be one of the library.' }));

/**
 * Sent as multipart for posts, optionally with a file `featuredImage` and its `featuredImageVariants`; as JSON for
 * pages. `slug` defaults to one made from the title.
 */
export const ArticleBody = z.object({
  title: Title,
  content: z._default(Content, ''),
  /** Unchanged if omitted. */
  excerpt: z.optional(Excerpt),
  status: z._default(z.enum(articleStatuses, { error: 'Status must be DRAFT or PUBLISHED.' }), 'DRAFT'),
  slug: z.optional(Slug),
  version: z.optional(Version),
  /** Scheduled start and end of publication. If omitted, unchanged where the status allows it. */
  startsAt: z.optional(Moment),
  endsAt: z.optional(Moment),
  /** An image from the library. The empty text removes the picture; unchanged if omitted. */
  featuredImageId: z.optional(PictureId),
  /** Alt text of the file in the same request. */
  featuredImageAlt: z._default(Alt, ''),
});
export type ArticleBody = z.input<typeof ArticleBody>;

/** A draft may be unfinished, so only lengths are checked. */
export const DraftBody = z.object({
  title: z._default(
    z.string({ error: 'The title must be text.' }).check(z.maxLength(1000, { error: 'The title is too long.' })),
    '',
  ),
  content: z._default(Content, ''),
  excerpt: z._default(Excerpt, ''),
  slug: z._default(Slug, ''),
  baseVersion: z._default(Version, 0),
  featuredImageId: z.optional(z.nullable(PictureId)),
});
export type DraftBody = z.input<typeof DraftBody>;

export const AltBody = z.object({ alt: Alt });
export type AltBody = z.input<typeof AltBody>;
export const UploadFields = z.object({ alt: z._default(Alt, '') });

const wholeNumber = (fallback: number, max: number, error: string) =>
  z._default(z.coerce.number({ error }).check(z.int({ error }), z.gte(1, { error }), z.lte(max, { error })), fallback);

const listFields = {
  page: wholeNumber(1, 1_000_000, 'The page must be a number from 1.'),
  size: wholeNumber(listLimits.rows, listLimits.rows, `The size must be a number from 1 to ${listLimits.rows}.`),
  q: z._default(z.string().check(z.maxLength(listLimits.words, { error: 'Please search for less.' })), ''),
};

/** A field name, with a leading hyphen for descending order. */
const Sort = z.pipe(
  z.string().check(z.regex(/^-?\w+$/, { error: 'This list cannot be sorted by that.' })),
  z.pipe(
    z.transform((text: string) => ({ field: text.replace('-', ''), isDescending: text.startsWith('-') })),
    z.object({
      field: z.enum(articleSortFields, { error: 'This list cannot be sorted by that.' }),
      isDescending: z.boolean(),
    }),
  ),
);

export const ArticleListQuery = z.object({
  ...listFields,
  sort: z._default(Sort, { field: 'updatedAt', isDescending: true }),
  status: z.optional(z.enum(articleListStatuses, { error: 'Status must be DRAFT, SCHEDULED or PUBLISHED.' })),
  view: z.optional(z.enum(['rows', 'trash'], { error: 'There is no such view.' })),
});
export const MediaListQuery = z.object({
  ...listFields,
  type: z.optional(z.enum(['image'], { error: 'There is no such type.' })),
});
export const PublicListQuery = z.object({ page: listFields.page, size: listFields.size });

/** GET /api/cms/publish. */
export const PublishQuery = z.object({ revision: z.optional(Version) });

const PROGRESS_ERROR = 'Progress must be a number from 0 to 100.';
/**
 * POST /api/internal/builds/{build} from the site builder, `Authorization: Bearer <BUILD_SECRET>`. `build` is `latest`
 * if the builder has no id. 204; 401 with another secret, 404 for an unknown build, 409 for a finished build or a
 * revision below the requested one.
 */
export const BuildReportBody = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('building'),
    progress: z
      .number({ error: PROGRESS_ERROR })
      .check(z.gte(0, { error: PROGRESS_ERROR }), z.lte(100, { error: PROGRESS_ERROR })),
    step: z.string().check(z.maxLength(200)),
  }),
  z.object({ state: z.literal('built'), revision: z.number().check(z.int(), z.gte(0)) }),
  z.object({ state: z.literal('failed'), reason: z.string().check(z.maxLength(1000)) }),
]);
export type BuildReportBody = z.infer<typeof BuildReportBody>;

/** Requests for the second factor of content accounts. */

/** POST /api/auth/second, after a login that returned `second`: a passkey or a recovery code. 200 LoginReply; 401. */
export const SecondBody = z.union([
  z.object({ credential: ShownPasskey }),
  z.object({ code: z.string().check(z.minLength(1), z.maxLength(40)) }),
]);
export type SecondBody = z.output<typeof SecondBody>;

const NO_PASSWORD = { error: 'Please enter your current password.' };
/** POST /api/auth/passkeys/options */
export const NewPasskeyBody = z.object({
  password: z.string(NO_PASSWORD).check(z.minLength(1, NO_PASSWORD), z.maxLength(1000, NO_PASSWORD)),
});
export type NewPasskeyBody = z.input<typeof NewPasskeyBody>;

const NO_LABEL = { error: 'Please name this passkey, such as by its device.' };
/** POST /api/auth/passkeys: 201 RecoveryCodes, empty if the account already had a passkey. */
export const AddPasskeyBody = z.object({
  label: z.pipe(line(NO_LABEL.error), z.string().check(z.minLength(1, NO_LABEL), z.maxLength(60, NO_LABEL))),
  credential: MadePasskey,
});
export type AddPasskeyBody = z.output<typeof AddPasskeyBody>;
