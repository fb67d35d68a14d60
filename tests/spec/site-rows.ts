import { type Row, route, rows, type TestRef } from './rows.ts';

const blog = 'tests/browser/blog.test.ts';
const DEMO: TestRef = [
  'tests/browser/demo.test.ts',
  'the demo goes from the homepage to the receipt in six steps, each with a picture of the product',
];
const LATEST: TestRef = [blog, 'shows its three latest posts on the homepage, and the static pages in the footer'];
const NOT_FOUND: TestRef = [blog, 'returns 404 with a message for a missing post, page or preview'];
const LIST: TestRef = [blog, 'lists posts newest first, each with picture, title, 150 characters and a link'];

/** The public site without its homepage and legal texts. */
export const siteRows: readonly Row[] = [
  ...rows('home-latest', 'text', { page: '/' }, [
    ['Latest Updates', LATEST],
    ['Read More', LATEST],
    ['Company', LATEST],
    ['Resources', LATEST],
  ]),
  ...rows('demo', 'text', { page: '/demo' }, [
    ['Get Started', DEMO],
    ['Login with the CRM', DEMO],
    ['Open Invoices', DEMO],
    ['Email Receipt', DEMO],
  ]),
  ...rows('no-post', 'text', { page: '/blog/nowhere' }, [['Post not found', NOT_FOUND]]),
  ...rows('no-page', 'text', { page: '/pages/nowhere' }, [['Page not found', NOT_FOUND]]),
  ...route('site', 200, LIST, ['GET /blog', 'GET /demo']),
  ...route('site-missing', 404, NOT_FOUND, ['GET /blog/{slug}', 'GET /pages/{slug}']),
  ...rows('site-limit', 'constant', { shownBy: 'its test' }, [
    ['150 characters', LIST],
    ['120 characters on the homepage', LATEST],
    ['three latest', LATEST],
  ]),
];
