import { findSetup, findUsersByEmail } from '#worker/data/content/accounts/accounts';
import { listArticles } from '#worker/data/content/articles/articles';
import { siteState } from '#worker/data/schema/content';
import type { Deps } from '#worker/deps';
import { register } from '#worker/domain/content/accounts/register';
import { saveArticle } from '#worker/domain/content/articles/save';
import type { Local } from '../settings.ts';
import { articles } from './articles.ts';

/** The time between two seeded articles. */
const APART_MS = 9 * 86_400_000;

/**
 * Creates the content area's owner, with the set-up code like any first owner, and the first articles of the site.
 * Later starts leave both unchanged.
 */
export async function seedContent(deps: Deps, owner: Local['owner']): Promise<void> {
  const isMade = await findSetup(deps.db);
  if (!isMade) {
    const { OWNER_SETUP_CODE: setupCode } = deps.settings;
    const outcome = await register(deps, { name: 'Local Owner', ...owner }, { setupCode }, { clientIp: null });
    if (outcome.kind !== 'registered') throw new Error(`the owner of the content area was not made: ${outcome.kind}`);
  }
  const state = await deps.db.select().from(siteState).get();
  const isWritten = state === undefined || state.revision > 0 || (await countOf(deps)) > 0;
  if (!isWritten) await writeArticles(deps, owner.email);
}

async function countOf(deps: Deps): Promise<number> {
  const question = { sort: { field: 'title', isDescending: false }, page: 1, size: 1, withContent: false } as const;
  const [posts, pages] = await Promise.all([
    listArticles(deps.db, { kind: 'post', ...question }),
    listArticles(deps.db, { kind: 'page', ...question }),
  ]);
  return posts.total + pages.total;
}

async function writeArticles(deps: Deps, email: string): Promise<void> {
  const [user] = await findUsersByEmail(deps.db, email);
  if (!user) throw new Error('the owner of the content area is not there');
  const begin = deps.now() - articles.length * APART_MS;
  for (const [at, { kind, ...text }] of articles.entries()) {
    const then = { ...deps, now: () => begin + at * APART_MS };
    const outcome = await saveArticle(then, { secondAt: null, sessionId: '', user }, { kind, id: null }, text);
    if (outcome.kind !== 'saved') throw new Error(`the article ${text.slug} was not written: ${outcome.kind}`);
  }
}
