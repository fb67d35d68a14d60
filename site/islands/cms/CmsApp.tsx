import { useEffect, useRef, useState } from 'react';
import type { ContentUser } from '#shared/contracts/content/content';
import { Toasts } from '../ui/feedback/Toasts.tsx';
import { Button } from '../ui/form/Button.tsx';
import { AppLink, usePath } from '../ui/routing/router.tsx';
import { useScreen } from '../ui/routing/use-screen.ts';
import { call, endSession, logOut, readMe, readToken } from './api.ts';
import { CmsBoundary } from './CmsBoundary.tsx';
import { Screen, screenName } from './screens.tsx';
import '#site/styles/parts/page/card.css';
import '#site/styles/areas/merchant/app.css';
import '#site/styles/areas/cms/cms.css';
import { operator } from '#shared/operator';
import { AppBar } from '../ui/AppBar.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import '#site/styles/parts/form/button.css';

const links = [
  { name: 'Dashboard', path: '/cms', ownersOnly: false },
  { name: 'Posts', path: '/cms/posts', ownersOnly: false },
  { name: 'Pages', path: '/cms/pages', ownersOnly: false },
  { name: 'Media', path: '/cms/media', ownersOnly: false },
  { name: 'Users', path: '/cms/users', ownersOnly: true },
];

/** The top bar of every screen, with the logged-in member. */
export function TopBar({ user }: { user: ContentUser | null }) {
  const current = usePath();
  const isHere = (path: string) => current === path || (path !== '/cms' && current.startsWith(`${path}/`));
  return (
    <AppBar
      home={{ path: '/cms', label: `${operator.name}, dashboard` }}
      logo={<Wordmark />}
      links={(close) => (
        <>
          {links
            .filter(({ ownersOnly }) => !ownersOnly || user?.role === 'owner')
            .map(({ name, path }) => (
              <li key={path}>
                <AppLink href={path} isActive={isHere(path)} onClick={close}>
                  {name}
                </AppLink>
              </li>
            ))}
          <li className="app-links-last cms-welcome">
            {user && (
              <AppLink href="/cms/account" isActive={isHere('/cms/account')} onClick={close}>
                {`Welcome, ${user.name}`}
              </AppLink>
            )}
          </li>
          <li>
            <button type="button" className="cms-logout" onClick={() => void logOut()}>
              Logout
            </button>
          </li>
        </>
      )}
    />
  );
}

type Member = { kind: 'loading' } | { kind: 'failed'; message: string } | { kind: 'known'; user: ContentUser };

/** The content area: loads the logged-in member, then shows the screen for the address. */
export function CmsApp() {
  const [member, setMember] = useState<Member>({ kind: 'loading' });
  const path = usePath();
  const main = useRef<HTMLElement>(null);
  const user = member.kind === 'known' ? member.user : null;
  useScreen(main, screenName(path));
  useLeaveOnLogout();

  const isLoading = member.kind === 'loading';
  useEffect(() => {
    if (!isLoading) return;
    let isUnmounted = false;
    void loadMember().then((next) => !isUnmounted && next && setMember(next));
    return () => {
      isUnmounted = true;
    };
  }, [isLoading]);

  return (
    <>
      <TopBar user={user} />
      <main id="main" className="app-main" ref={main}>
        {member.kind === 'failed' && (
          <div className="notice app-narrow">
            <h1 tabIndex={-1}>The content area could not be opened.</h1>
            <p>{member.message}</p>
            <Button kind="primary" onClick={() => setMember({ kind: 'loading' })}>
              Retry
            </Button>
          </div>
        )}
        {isLoading && (
          <p role="status" className="app-quiet app-waiting">
            Loading...
          </p>
        )}
        {user && (
          <CmsBoundary key={screenName(path)}>
            <Screen path={path} user={user} />
          </CmsBoundary>
        )}
      </main>
      <Toasts />
    </>
  );
}

/** Returns null if no member is logged in; the browser then leaves the page. */
async function loadMember(): Promise<Member | null> {
  if (!readToken()) {
    // Without a token, the member has logged out: end the refresh cookie's session too, and show the login.
    await endSession(null);
    window.location.replace('/cms/login');
    return null;
  }
  const answer = await call('/api/auth/me', readMe);
  if (answer.ok) return { kind: 'known', user: answer.value };
  return answer.error.status === 401 ? null : { kind: 'failed', message: answer.error.message };
}

/** Leaves the page after a logout in another tab, or if the browser restores the page from its history afterwards. */
function useLeaveOnLogout(): void {
  useEffect(() => {
    const check = () => {
      if (!readToken()) window.location.assign('/cms/login');
    };
    window.addEventListener('storage', check);
    window.addEventListener('pageshow', check);
    return () => {
      window.removeEventListener('storage', check);
      window.removeEventListener('pageshow', check);
    };
  }, []);
}
