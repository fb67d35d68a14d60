import type { ArticleKind, ContentUser } from '#shared/contracts/content/content';
import { ScreenLoadError } from '../ui/feedback/ScreenError.tsx';
import { Lazy } from '../ui/routing/Lazy.tsx';
import { lazyScreen } from '../ui/routing/lazy-screen.ts';
import { CMS_START, CmsError } from './CmsBoundary.tsx';
import { Dashboard } from './Dashboard.tsx';
import { ArticleList } from './lists/ArticleList.tsx';

const media = lazyScreen(() => import('./media/MediaLibrary.tsx').then((code) => code.MediaLibrary));
const users = lazyScreen(() => import('./users/UserScreen.tsx').then((code) => code.UserScreen));
const account = lazyScreen(() => import('./session/AccountScreen.tsx').then((code) => code.AccountScreen));
const audit = lazyScreen(() => import('./AuditScreen.tsx').then((code) => code.AuditScreen));
const editor = lazyScreen(() => import('./editor/EditorScreen.tsx').then((code) => code.EditorScreen));

const trash = lazyScreen(() => import('./lists/TrashList.tsx').then((code) => code.TrashList));

const ARTICLES = /^\/cms\/(post|page)s(?:\/(new|trash|edit\/([\w-]+)))?$/;

type ScreenPlace =
  | { screen: 'dashboard' | 'media' | 'users' | 'account' | 'audit' | 'nowhere' }
  | { screen: 'list' | 'trash'; kind: ArticleKind }
  | { screen: 'editor'; kind: ArticleKind; id: string };

function placeOf(path: string): ScreenPlace {
  if (path === '/cms') return { screen: 'dashboard' };
  if (path === '/cms/media') return { screen: 'media' };
  if (path === '/cms/users') return { screen: 'users' };
  if (path === '/cms/account') return { screen: 'account' };
  if (path === '/cms/audit') return { screen: 'audit' };
  const [, noun, editing, id] = ARTICLES.exec(path) ?? [];
  if (!noun) return { screen: 'nowhere' };
  const kind = noun === 'page' ? 'page' : 'post';
  if (editing === 'trash') return { screen: 'trash', kind };
  return editing ? { screen: 'editor', kind, id: id ?? 'new' } : { screen: 'list', kind };
}

/** Returns one name for all addresses of a screen. */
export const screenName = (path: string): string => {
  const place = placeOf(path);
  return 'kind' in place ? `${place.screen} ${place.kind}` : place.screen;
};

const loadError = <ScreenLoadError startPath={CMS_START} />;

export function Screen({ path, user }: { path: string; user: ContentUser }) {
  const place = placeOf(path);
  if (user.needsPasskey)
    return <Lazy screen={account} props={{ email: user.email, needsPasskey: true }} failure={loadError} />;
  switch (place.screen) {
    case 'dashboard':
      return <Dashboard />;
    case 'list':
      return <ArticleList key={place.kind} kind={place.kind} />;
    case 'trash':
      return <Lazy key={place.kind} screen={trash} props={{ kind: place.kind }} failure={loadError} />;
    case 'editor':
      return (
        <Lazy screen={editor} props={{ writer: user.email, kind: place.kind, id: place.id }} failure={loadError} />
      );
    case 'media':
      return <Lazy screen={media} props={{}} failure={loadError} />;
    case 'users':
      if (user.role !== 'owner') return <CmsError>Only an owner can see who writes here.</CmsError>;
      return <Lazy screen={users} props={{}} failure={loadError} />;
    case 'account':
      return <Lazy screen={account} props={{ email: user.email }} failure={loadError} />;
    case 'audit':
      if (user.role !== 'owner') return <CmsError>Only an owner can see the audit trail.</CmsError>;
      return <Lazy screen={audit} props={{}} failure={loadError} />;
    case 'nowhere':
      return <CmsError>There is nothing at this address.</CmsError>;
  }
}
