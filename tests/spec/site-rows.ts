import { type Reached, type Row, route, rows } from './rows.ts';

const blog = 'tests/browser/blog.test.ts';
const DEMO: Reached = [
  'tests/browser/demo.test.ts',
  'the demo leads in six steps from the homepage to the receipt, each with a picture of the product',
];
const LATEST: Reached = [blog, 'is on the homepage with its three latest, and static pages are in the footer'];
const MISSING: Reached = [blog, 'says that a post or a page does not exist'];
const LIST: Reached = [blog, 'shows posts, newest first, each with picture, title, 150 characters and a link'];

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
  ...rows('no-post', 'text', { page: '/blog/nowhere' }, [['Post not found', MISSING]]),
  ...rows('no-page', 'text', { page: '/pages/nowhere' }, [['Page not found', MISSING]]),
  ...route('site', 200, LIST, ['GET /blog', 'GET /demo']),
  ...route('site-missing', 404, MISSING, ['GET /blog/{slug}', 'GET /pages/{slug}']),
  ...rows('site-limit', 'constant', { shownBy: 'its test' }, [
    ['150 characters', LIST],
    ['120 characters on the homepage', LATEST],
    ['three latest', LATEST],
  ]),
];
