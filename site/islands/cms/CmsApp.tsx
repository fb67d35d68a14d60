import { useEffect, useRef, useState } from 'react';
import type { ContentUser } from '#shared/contracts/content/content';
import { Toasts } from '../ui/feedback/Toasts.tsx';
import { Button } from '../ui/form/Button.tsx';
import { usePath } from '../ui/routing/router.tsx';
import { useScreen } from '../ui/routing/use-screen.ts';
import { call, endSession } from './api.ts';
import { CmsBoundary } from './CmsBoundary.tsx';
import { readMe } from './parse-response.ts';
import { Screen, screenName } from './screens.tsx';
import { TopBar } from './TopBar.tsx';
import { readToken } from './token.ts';
import '#site/styles/parts/page/card.css';
import '#site/styles/areas/merchant/app.css';
import '#site/styles/areas/cms/cms.css';

type Member = { kind: 'asking' } | { kind: 'failed'; message: string } | { kind: 'known'; user: ContentUser };

/** The content area: asks who is logged in, then shows the screen of the address. */
export function CmsApp() {
  const [member, setMember] = useState<Member>({ kind: 'asking' });
  const path = usePath();
  const main = useRef<HTMLElement>(null);
  const user = member.kind === 'known' ? member.user : null;
  useScreen(main, screenName(path));
  useLeaving();

  const isAsking = member.kind === 'asking';
  useEffect(() => {
    if (!isAsking) return;
    let isGone = false;
    void whoAmI().then((next) => !isGone && next && setMember(next));
    return () => {
      isGone = true;
    };
  }, [isAsking]);

  return (
    <>
      <TopBar user={user} />
      <main id="main" className="app-main" ref={main}>
        {member.kind === 'failed' && (
          <div className="notice app-narrow">
            <h1 tabIndex={-1}>The content area could not be opened.</h1>
            <p>{member.message}</p>
            <Button kind="primary" onClick={() => setMember({ kind: 'asking' })}>
              Retry
            </Button>
          </div>
        )}
        {isAsking && (
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

/** Null: not logged in, and the page is being left. */
async function whoAmI(): Promise<Member | null> {
  if (!readToken()) {
    // Without a token the member has logged out: end the session of the refresh cookie too, and ask for a login.
    await endSession(null);
    window.location.replace('/cms/login');
    return null;
  }
  const answer = await call('/api/auth/me', readMe);
  if (answer.ok) return { kind: 'known', user: answer.value };
  return answer.error.status === 401 ? null : { kind: 'failed', message: answer.error.message };
}

/** Leave the page after a logout in another tab, or when the browser's history brings it back. */
function useLeaving(): void {
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
