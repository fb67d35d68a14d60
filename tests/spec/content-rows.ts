import { type Row, route, rows, type TestRef } from './rows.ts';

const auth = 'worker/routes/content/accounts/auth.test.ts';
const accounts = 'worker/routes/content/accounts/accounts.test.ts';
const whole = 'tests/whole/content.test.ts';

const TOKEN_REFUSAL: TestRef = [whole, 'refuses every invalid token on every route and writes nothing'];
const PUBLICATION: TestRef = [
  whole,
  'goes from the form to the public call, without the place where its photo was taken',
];
const NOT_FOUND: TestRef = [whole, 'returns 404 for a post or page that does not exist'];
const LOGIN: TestRef = [auth, 'returns the user and a token with the account’s rights'];
const POST: TestRef = [
  'worker/routes/content/articles/articles.test.ts',
  'is created, published, listed, read publicly and deleted',
];
const READ_FAILURE: TestRef = [
  'worker/routes/content/publishing/public-content.test.ts',
  'reports at %s what could not be read',
];
const UPLOAD: TestRef = [
  'worker/routes/content/media/library.test.ts',
  'detects %s by its content, measures it and strips the location',
];

const each = (test: TestRef, names: string) => names.split(' ').map((name) => [name, test] as const);

/** Rows about the answers of the content area's and public content's routes. */
export const contentRows: readonly Row[] = [
  ...route('public-content', 200, POST, ['GET /api/public/posts', 'GET /api/public/pages']),
  ...route('public-missing', 404, NOT_FOUND, ['GET /api/public/posts/{slug}', 'GET /api/public/pages/{slug}']),
  ...route(
    'content-login',
    400,
    [auth, 'rejects a one-megabyte password, broken JSON and a form body'],
    ['POST /api/auth/login', 'POST /api/auth/register'],
  ),
  ...route('content', 401, TOKEN_REFUSAL, [
    'GET /api/auth/me',
    'GET /api/cms/posts',
    'POST /api/cms/posts',
    'GET /api/cms/posts/{id}',
    'PUT /api/cms/posts/{id}',
    'DELETE /api/cms/posts/{id}',
    'GET /api/cms/pages',
    'POST /api/cms/pages',
    'GET /api/cms/pages/{id}',
    'PUT /api/cms/pages/{id}',
    'DELETE /api/cms/pages/{id}',
    'GET /api/cms/media',
    'DELETE /api/cms/media/{id}',
    'POST /api/cms/media/upload',
  ]),
  ...route(
    'content-page',
    303,
    [whole, 'redirects everyone else to its login, including a merchant'],
    [
      'GET /cms',
      'GET /cms/posts',
      'GET /cms/posts/new',
      'GET /cms/posts/edit/{id}',
      'GET /cms/pages',
      'GET /cms/pages/new',
      'GET /cms/pages/edit/{id}',
      'GET /cms/media',
    ],
  ),
  ...rows('content-says', 'text', { shownBy: 'its test' }, [
    ['Post not found', NOT_FOUND],
    ['Page not found', NOT_FOUND],
    ...each(READ_FAILURE, 'posts pages post page').map(([kind, test]) => [`Failed to fetch ${kind}`, test] as const),
    ['Login failed', [auth, 'returns the same error for known, unknown and malformed addresses']],
    ['Passwords do not match', [accounts, 'rejects %s with a message and creates no account']],
  ]),
  ...rows('login-field', 'field', { answer: 'login' }, each(LOGIN, 'token user.name user.email')),
  ...rows('me-field', 'field', { answer: 'me' }, each(LOGIN, 'user.name user.email')),
  ...rows(
    'post-field',
    'field',
    { answer: 'posts' },
    each(PUBLICATION, '0.id 0.title 0.content 0.status 0.featuredImage 0.slug 0.createdAt'),
  ),
  ...rows('page-field', 'field', { answer: 'pages' }, each(POST, '0.id 0.title 0.content 0.status 0.slug 0.createdAt')),
  ...rows(
    'media-field',
    'field',
    { answer: 'media' },
    each(UPLOAD, '0.id 0.originalName 0.mimeType 0.size 0.localUrl 0.isPublic'),
  ),
  {
    id: 'content-default-status',
    kind: 'constant',
    exact: 'DRAFT',
    place: { shownBy: 'its test' },
    test: POST,
  },
];
