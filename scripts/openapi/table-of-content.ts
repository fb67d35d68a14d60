import * as z from 'zod/mini';
import { AuditHeadFile, AuditView } from '#shared/contracts/audit';
import { AuditQuery } from '#shared/contracts/audit-request';
import {
  Article,
  Draft,
  InvitationItem,
  InvitationReply,
  LoginReply,
  MediaItem,
  MeReply,
  PreviewReply,
  PublishState,
  Revision,
  Trashed,
  UserItem,
  UsersReply,
} from '#shared/contracts/content/content';
import {
  Conflict,
  DeletedReply,
  PageDetail,
  PageItem,
  Post,
  PostDetail,
  PostItem,
  PreviewedArticle,
  RevisionDetail,
  SameFile,
} from '#shared/contracts/content/content-answers';
import {
  AltBody,
  ArticleBody,
  ArticleListQuery,
  BuildReportBody,
  DraftBody,
  ForgotBody,
  InvitationBody,
  InviteBody,
  LoginBody,
  MediaListQuery,
  PasswordBody,
  PublicListQuery,
  PublishQuery,
  RegisterBody,
  ResetBody,
  RoleBody,
  UploadFields,
} from '#shared/contracts/content/content-request';
import {
  NewPasskeyOptions,
  RecoveryCodes,
  SecondAsked,
  SecondFactors,
} from '#shared/contracts/content/second-factor-reply';
import { AddPasskeyBody, NewPasskeyBody, SecondBody } from '#shared/contracts/content/second-factor-request';
import { csv, nothing, page, type Row, type Table } from './row.ts';

type Kind = { plural: string; item: z.ZodMiniType; detail: z.ZodMiniType; body: NonNullable<Row['body']> };

/** The calls of posts and pages differ by what an article is, and in the form in which it is saved. */
function ofArticles({ plural, item, detail, body }: Kind): Table {
  const base = `/api/cms/${plural}`;
  const saved: Row = { body, fails: [404, 409, 429], beside: { 409: Conflict } };
  return {
    [`GET ${base}`]: { query: ArticleListQuery, isList: true, 200: [z.array(item), z.array(Trashed)] },
    [`POST ${base}`]: { ...saved, 201: detail },
    [`GET ${base}/:id`]: { 200: detail },
    [`PUT ${base}/:id`]: { ...saved, 200: detail },
    [`DELETE ${base}/:id`]: { 200: DeletedReply },
    [`GET ${base}/:id/draft`]: { 200: Draft },
    [`PUT ${base}/:id/draft`]: { body: DraftBody, 200: Draft },
    [`DELETE ${base}/:id/draft`]: { 200: DeletedReply },
    [`GET ${base}/:id/revisions`]: { 200: z.array(Revision) },
    [`GET ${base}/:id/revisions/:version`]: { 200: RevisionDetail },
    [`POST ${base}/:id/revisions/:version/restore`]: {
      ...{ 200: detail, fails: [409, 422], beside: { 409: Conflict } },
    },
    [`POST ${base}/:id/preview`]: { 200: PreviewReply },
    [`POST ${base}/:id/bring-back`]: { 200: detail },
  };
}

const picture = { form: ArticleBody, files: { featuredImage: 'one', featuredImageVariants: 'several' } } as const;
const publicPage: Row = { 200: page, 301: nothing, 404: page, 503: page };

/** The content area, and what of it the public sees. */
export const tableOfContent: Table = {
  'POST /api/auth/login': { body: LoginBody, 200: LoginReply, 202: SecondAsked, fails: [401, 429] },
  'POST /api/auth/register': { body: RegisterBody, 201: LoginReply, fails: [410, 429] },
  'POST /api/auth/forgot': { body: ForgotBody, 202: z.object({}) },
  'POST /api/auth/reset': { body: ResetBody, 204: nothing, fails: [410, 429] },
  'POST /api/auth/invitation': { body: InvitationBody, 200: InvitationReply, fails: [410] },
  'POST /api/auth/logout': { 204: nothing },
  'POST /api/auth/refresh': { 200: LoginReply, fails: [401] },
  'GET /api/auth/me': { 200: MeReply },
  'PUT /api/auth/password': { body: PasswordBody, 204: nothing, fails: [409, 429] },
  'POST /api/auth/second': { body: SecondBody, 200: LoginReply, fails: [401, 429] },
  'GET /api/auth/passkeys': { 200: SecondFactors },
  'POST /api/auth/passkeys': { body: AddPasskeyBody, 201: RecoveryCodes, fails: [409] },
  'POST /api/auth/passkeys/options': { body: NewPasskeyBody, 200: NewPasskeyOptions, fails: [429] },
  'DELETE /api/auth/passkeys/:id': { 204: nothing, fails: [409] },
  'POST /api/auth/recovery-codes': { 201: RecoveryCodes },

  'GET /cms/login': { 200: page, 303: nothing },
  'GET /cms': { 200: page, 303: nothing },
  'GET /cms/*': { 200: page, 303: nothing },
  ...ofArticles({ plural: 'posts', item: PostItem, detail: PostDetail, body: picture }),
  ...ofArticles({ plural: 'pages', item: PageItem, detail: PageDetail, body: ArticleBody }),
  'GET /api/cms/media': { query: MediaListQuery, isList: true, 200: z.array(MediaItem) },
  'POST /api/cms/media/upload': {
    body: { form: UploadFields, files: { file: 'one', variants: 'several' } },
    ...{ 201: MediaItem, fails: [409, 429], beside: { 409: SameFile } },
  },
  'GET /api/cms/media/:id': { 200: MediaItem },
  'PUT /api/cms/media/:id': { body: AltBody, 200: MediaItem },
  'DELETE /api/cms/media/:id': { 200: DeletedReply },
  'GET /api/cms/publish': { query: PublishQuery, 200: PublishState },
  'POST /api/cms/publish': { query: PublishQuery, 200: PublishState },
  'GET /api/cms/audit': { query: AuditQuery, 200: [AuditView, csv] },
  'GET /api/cms/audit/head': { 200: AuditHeadFile },
  'GET /api/cms/users': { 200: UsersReply },
  'PUT /api/cms/users/:id': { body: RoleBody, 200: UserItem, fails: [409] },
  'DELETE /api/cms/users/:id': { 200: DeletedReply, fails: [409] },
  'POST /api/cms/users/:id/approve': { body: RoleBody, 200: UserItem, fails: [409] },
  'POST /api/cms/users/invitations': { body: InviteBody, 201: InvitationItem },
  'DELETE /api/cms/users/invitations/:id': { 200: DeletedReply },
  'POST /api/internal/builds/:build': { body: BuildReportBody, 204: nothing, fails: [409] },

  'GET /api/public/posts': { query: PublicListQuery, isList: true, 200: z.array(Post) },
  'GET /api/public/posts/:slug': { 200: Post, 301: nothing },
  'GET /api/public/pages': { query: PublicListQuery, isList: true, 200: z.array(Article) },
  'GET /api/public/pages/:slug': { 200: Article, 301: nothing },
  'GET /api/public/preview/:token': { 200: PreviewedArticle },
  'GET /preview/:token': { 200: page, 404: page },
  'GET /blog/*': publicPage,
  'GET /blog/:slug': publicPage,
  'GET /blog/:slug/': { 307: nothing },
  'GET /pages/*': publicPage,
  'GET /pages/:slug': publicPage,
  'GET /pages/:slug/': { 307: nothing },
  'GET /media/:key': {
    ...{
      200: [{ media: 'image/*' }, { media: 'application/pdf' }],
      206: [{ media: 'image/*' }, { media: 'application/pdf' }],
    },
    ...{ 304: nothing, 416: nothing },
  },
};
