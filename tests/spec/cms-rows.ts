import { type Line, type Row, rows, type TestRef } from './rows.ts';

const login = 'tests/browser/cms-login.test.ts';
const drafts = 'tests/browser/cms-drafts.test.ts';
const editor = 'tests/browser/cms-editor.test.ts';
const media = 'tests/browser/cms-media.test.ts';

const LOGIN: TestRef = [login, 'takes a user from the login to the screens and out again (%s)'];
const REGISTRATION: TestRef = [login, 'waits for an owner’s approval after registration (%s)'];
const EDITING: TestRef = [editor, 'formats text, inserts a described picture and saves a draft (%s)'];
const OFFLINE: TestRef = [drafts, 'stays in the browser while offline and is sent when the server is reachable again'];
const BADGES: TestRef = [media, 'shows states as badges, searches, and asks for confirmation before deleting (%s)'];
const DELETION: TestRef = [editor, 'deletes the article after confirmation'];
const FAILURES: TestRef = [media, 'shows the specified message when reading, saving or deleting fails: %s'];
const EMPTY_LIST: TestRef = [media, 'shows a message when the list is empty and when it cannot be loaded'];
const UPLOADS: TestRef = [media, 'uploads several files at once, explains a rejected file and can cancel an upload'];
const USAGE: TestRef = [media, 'shows where a file is used before it is deleted'];

const each = (test: TestRef, ...texts: string[]) => texts.map((text): Line => [text, test]);

/** Texts of the content area's screens. */
export const cmsRows: readonly Row[] = [
  ...rows('cms', 'text', { client: 'app' }, [
    ...each(LOGIN, 'Login failed', 'Posts', 'Pages', 'Media', 'cms_token'),
    ...each(REGISTRATION, 'Registration failed', 'Passwords do not match', 'Confirm password'),
    ...each(EDITING, 'Please enter a title.'),
    ...each(BADGES, 'DRAFT', 'PUBLISHED'),
    ...each(OFFLINE, 'Failed to save page'),
    ...each(DELETION, 'Are you sure you want to delete this page?', 'Failed to fetch page'),
    ...each(EMPTY_LIST, 'No pages found', 'Failed to fetch posts'),
    ...each(
      FAILURES,
      'Are you sure you want to delete this post?',
      'Failed to fetch post',
      'Failed to fetch pages',
      'Failed to save post',
      'Failed to delete post',
      'Failed to delete page',
      'Failed to fetch media files',
      'Failed to delete file',
    ),
    ...each(UPLOADS, 'Failed to upload file'),
    ...each(USAGE, 'Are you sure you want to delete this file?'),
  ]),
];
