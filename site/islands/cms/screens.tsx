import { Component, type ReactNode, useEffect, useState } from 'react';
import type { ArticleKind, ContentUser } from '#shared/contracts/content/content';
import { Button } from '../ui/form/Button.tsx';
import { Lazy } from '../ui/routing/Lazy.tsx';
import { lazyScreen } from '../ui/routing/lazy-screen.ts';
import { ArticleList } from './lists/ArticleList.tsx';
import '#site/styles/parts/form/button.css';
import '#site/styles/parts/feedback/notice.css';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { AppLink } from '../ui/routing/router.tsx';
import { call } from './api.ts';

/** Shown at an unknown address, and in place of a screen that crashed. */
export function CmsError({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="notice app-narrow">
      <h1 tabIndex={-1}>Unexpected Application Error!</h1>
      <p>{children}</p>
      <div className="actions">
        {action}
        <a className={action ? 'button button-secondary' : 'button button-primary'} href="/cms">
          Go to the start
        </a>
      </div>
    </div>
  );
}

export class CmsBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };
  static getDerivedStateFromError() {
    return { isBroken: true };
  }
  override render() {
    if (!this.state.isBroken) return this.props.children;
    return <CmsError>This screen could not be shown. What you wrote was kept as a draft.</CmsError>;
  }
}

const cards = [
  {
    name: 'Posts',
    path: '/cms/posts',
    api: '/api/cms/posts?size=1&view=rows',
    to: '/cms/posts/new',
    action: 'New post',
  },
  {
    name: 'Pages',
    path: '/cms/pages',
    api: '/api/cms/pages?size=1&view=rows',
    to: '/cms/pages/new',
    action: 'New page',
  },
  { name: 'Media', path: '/cms/media', api: '/api/cms/media?size=1', to: '/cms/media', action: 'Upload files' },
] as const;

const counted = new Intl.NumberFormat('en-US');

/** Counts of posts, pages and media, with links to add more. */
export function Dashboard() {
  return (
    <div className="cms-stack">
      <h1 tabIndex={-1}>Dashboard</h1>
      <div className="cms-cards">
        {cards.map(({ name, path, api, to, action }) => (
          <section className="card cms-card" key={name} aria-labelledby={`card-${name}`}>
            <h2 id={`card-${name}`}>
              <AppLink href={path}>{name}</AppLink>
            </h2>
            <Count of={api} />
            <AppLink className="button button-secondary" href={to}>
              {action}
            </AppLink>
          </section>
        ))}
      </div>
    </div>
  );
}

function Count({ of }: { of: string }) {
  const [text, setText] = useState(' ');
  useEffect(() => {
    const read = (_body: unknown, headers: Headers) => headers.get(listHeaders.total);
    void call(of, read).then((answer) => setText(answer.ok ? counted.format(Number(answer.value)) : '–'));
  }, [of]);
  return <p className="cms-count">{text}</p>;
}

const media = lazyScreen(() => import('./media/MediaLibrary.tsx').then((code) => code.MediaLibrary));
const users = lazyScreen(() => import('./users/UserScreen.tsx').then((code) => code.UserScreen));
const account = lazyScreen(() => import('./session/AccountScreen.tsx').then((code) => code.AccountScreen));
const audit = lazyScreen(() => import('./AuditScreen.tsx').then((code) => code.AuditScreen));
const editor = lazyScreen(() => import('./editor/EditorScreen.tsx').then((code) => code.EditorScreen));

const trash = lazyScreen(() => import('./lists/TrashList.tsx').then((code) => code.TrashList));

const ARTICLES = /^\/cms\/(post|page)s(?:\/(new|trash|edit\/([\w-]+)))?$/;

type Place =
  | { screen: 'dashboard' | 'media' | 'users' | 'account' | 'audit' | 'nowhere' }
  | { screen: 'list' | 'trash'; kind: ArticleKind }
  | { screen: 'editor'; kind: ArticleKind; id: string };

function placeOf(path: string): Place {
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

/** The same name for all addresses of a screen. */
export const screenName = (path: string): string => {
  const place = placeOf(path);
  return 'kind' in place ? `${place.screen} ${place.kind}` : place.screen;
};

const failed = (
  <CmsError
    action={
      // Reload the page: browsers do not request a failed module again.
      <Button kind="primary" onClick={() => window.location.reload()}>
        Retry
      </Button>
    }
  >
    This screen could not be loaded. Check your connection, then press Retry.
  </CmsError>
);

export function Screen({ path, user }: { path: string; user: ContentUser }) {
  const place = placeOf(path);
  if (user.needsPasskey) return <Lazy of={account} props={{ email: user.email, needsPasskey: true }} failed={failed} />;
  switch (place.screen) {
    case 'dashboard':
      return <Dashboard />;
    case 'list':
      return <ArticleList key={place.kind} kind={place.kind} />;
    case 'trash':
      return <Lazy key={place.kind} of={trash} props={{ kind: place.kind }} failed={failed} />;
    case 'editor':
      return <Lazy of={editor} props={{ writer: user.email, kind: place.kind, id: place.id }} failed={failed} />;
    case 'media':
      return <Lazy of={media} props={{}} failed={failed} />;
    case 'users':
      if (user.role !== 'owner') return <CmsError>Only an owner can see who writes here.</CmsError>;
      return <Lazy of={users} props={{}} failed={failed} />;
    case 'account':
      return <Lazy of={account} props={{ email: user.email }} failed={failed} />;
    case 'audit':
      if (user.role !== 'owner') return <CmsError>Only an owner can see the audit trail.</CmsError>;
      return <Lazy of={audit} props={{}} failed={failed} />;
    case 'nowhere':
      return <CmsError>There is nothing at this address.</CmsError>;
  }
}
