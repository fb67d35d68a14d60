import { type Line, type Reached, type Row, rows } from './rows.ts';

const login = 'tests/browser/cms-login.test.ts';
const drafts = 'tests/browser/cms-drafts.test.ts';
const editor = 'tests/browser/cms-editor.test.ts';
const media = 'tests/browser/cms-media.test.ts';

const LOGGED_IN: Reached = [login, 'takes a user from the login to the screens and out again (%s)'];
const REGISTERED: Reached = [login, 'waits after it is requested until an owner approves it (%s)'];
const WRITTEN: Reached = [editor, 'formats text, inserts a described picture and saves a draft (%s)'];
const OFFLINE: Reached = [drafts, 'stays in the browser while offline and is sent when the server is reachable again'];
const BADGES: Reached = [media, 'shows states as badges, searches, and asks for confirmation before deleting (%s)'];
const DELETED: Reached = [editor, 'deletes it after confirmation'];
const FAILED: Reached = [media, 'shows the specified message when reading, saving or deleting fails: %s'];
const EMPTY: Reached = [media, 'shows a message when it is empty and when it cannot be loaded'];
const LIBRARY: Reached = [media, 'uploads several files at once, explains a refused one and lets one be cancelled'];
const USED: Reached = [media, 'shows where a file is used before it is deleted'];

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
