import { type Line, type Reached, type Row, rows } from './rows.ts';

const login = 'tests/browser/cms-login.test.ts';
const drafts = 'tests/browser/cms-drafts.test.ts';
const editor = 'tests/browser/cms-editor.test.ts';
const media = 'tests/browser/cms-media.test.ts';

const LOGGED_IN: Reached = [login, 'leads from the login to the screens and out again (%s)'];
const REGISTERED: Reached = [login, 'is requested, waits, and is approved by an owner (%s)'];
const WRITTEN: Reached = [editor, 'is written with tools and a described picture, and saved as a draft (%s)'];
const OFFLINE: Reached = [
  drafts,
  'stays in the browser while the server cannot be reached, and is sent when it can be',
];
const BADGES: Reached = [media, 'shows states as badges, searches, and deletes with the question that was agreed (%s)'];
const DELETED: Reached = [editor, 'is deleted with the question that was agreed'];
const FAILED: Reached = [media, 'says in the agreed words what could not be read, saved or deleted: %s'];
const EMPTY: Reached = [media, 'says that it is empty, and that it cannot be loaded'];
const LIBRARY: Reached = [media, 'takes several at once, says why one is refused, and lets one be cancelled'];
const USED: Reached = [media, 'names where a file is used before it is deleted'];

const each = (reachedBy: Reached, ...texts: string[]) => texts.map((text): Line => [text, reachedBy]);

/** Texts of the content area's screens. */
export const cmsRows: readonly Row[] = [
  ...rows('cms', 'text', { client: 'app' }, [
    ...each(LOGGED_IN, 'Login failed', 'Posts', 'Pages', 'Media', 'cms_token'),
    ...each(REGISTERED, 'Registration failed', 'Passwords do not match', 'Confirm password'),
    ...each(WRITTEN, 'Please enter a title.'),
    ...each(BADGES, 'DRAFT', 'PUBLISHED'),
    ...each(OFFLINE, 'Failed to save page'),
    ...each(DELETED, 'Are you sure you want to delete this page?', 'Failed to fetch page'),
    ...each(EMPTY, 'No pages found', 'Failed to fetch posts'),
    ...each(
      FAILED,
      'Are you sure you want to delete this post?',
      'Failed to fetch post',
      'Failed to fetch pages',
      'Failed to save post',
      'Failed to delete post',
      'Failed to delete page',
      'Failed to fetch media files',
      'Failed to delete file',
    ),
    ...each(LIBRARY, 'Failed to upload file'),
    ...each(USED, 'Are you sure you want to delete this file?'),
  ]),
];
