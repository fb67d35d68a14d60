import { useCallback, useEffect, useRef, useState } from 'react';
import type { OperatorMe } from '#shared/contracts/operators/operator';
import { Toasts } from '../ui/feedback/Toasts.tsx';
import { Button } from '../ui/form/Button.tsx';
import { Lazy } from '../ui/routing/Lazy.tsx';
import { type LazyScreen, lazyScreen } from '../ui/routing/lazy-screen.ts';
import { AppLink, usePath } from '../ui/routing/router.tsx';
import { useScreen } from '../ui/routing/use-screen.ts';
import { fetchCurrentOperator, setSignedOutHandler, signOut } from './api.ts';
import { Overview } from './Overview.tsx';
import { SignIn } from './SignIn.tsx';
import '#site/styles/parts/page/card.css';
import '#site/styles/parts/feedback/notice.css';
import '#site/styles/areas/merchant/app.css';
import '#site/styles/areas/operator/operator.css';
import { operator } from '#shared/operator';
import { AppBar } from '../ui/AppBar.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import '#site/styles/parts/form/button.css';

const links = [
  { name: 'Overview', path: '/operator' },
  { name: 'Clinics', path: '/operator/clinics' },
  { name: 'Health', path: '/operator/health' },
  { name: 'Mails', path: '/operator/mails' },
  { name: 'Builds', path: '/operator/builds' },
  { name: 'Runbook', path: '/operator/runbook' },
  { name: 'Audit trail', path: '/operator/audit' },
  { name: 'Operators', path: '/operator/operators' },
];

export function TopBar({ me }: { me: OperatorMe | null }) {
  const current = usePath();
  const isHere = (path: string) => current === path || (path !== '/operator' && current.startsWith(`${path}/`));
  return (
    <AppBar
      home={{ path: '/operator', label: `${operator.name}, overview` }}
      logo={<Wordmark />}
      links={
        me &&
        ((close) => (
          <>
            {links.map(({ name, path }) => (
              <li key={path}>
                <AppLink href={path} isActive={isHere(path)} onClick={close}>
                  {name}
                </AppLink>
              </li>
            ))}
            <li className="app-links-last op-name">{me.name}</li>
            <li>
              <button type="button" className="op-leave" onClick={() => void signOut()}>
                Log out
              </button>
            </li>
          </>
        ))
      }
    />
  );
}

/** Loaded on demand, since few visits go beyond the overview. */
const clinic = lazyScreen(() => import('./ClinicScreen.tsx').then((code) => code.ClinicScreen));
/** The other screens, by address. */
const screens: Record<string, LazyScreen<object>> = {
  '/operator/clinics': lazyScreen(() => import('./Clinics.tsx').then((code) => code.Clinics)),
  '/operator/operators': lazyScreen(() => import('./OperatorList.tsx').then((code) => code.OperatorList)),
  '/operator/health': lazyScreen(() => import('./HealthScreen.tsx').then((code) => code.HealthScreen)),
  '/operator/mails': lazyScreen(() => import('./MailList.tsx').then((code) => code.MailList)),
  '/operator/builds': lazyScreen(() => import('./BuildList.tsx').then((code) => code.BuildList)),
  '/operator/runbook': lazyScreen(() => import('./RunbookScreen.tsx').then((code) => code.RunbookScreen)),
  '/operator/audit': lazyScreen(() => import('./TrailScreen.tsx').then((code) => code.TrailScreen)),
  '/operator/restore': lazyScreen(() => import('./RestoreScreen.tsx').then((code) => code.RestoreScreen)),
};

type Session =
  | { kind: 'loading' }
  | { kind: 'failed'; message: string }
  | { kind: 'out'; notice: string }
  | { kind: 'in'; me: OperatorMe };

/** The operator's area: loads the signed-in operator, then shows the screen for the address. */
export function OperatorApp() {
  const [session, setSession] = useState<Session>({ kind: 'loading' });
  const path = usePath();
  const main = useRef<HTMLElement>(null);
  const load = useCallback(async () => {
    const answer = await fetchCurrentOperator();
    if (!answer.ok) return setSession({ kind: 'failed', message: answer.error.message });
    setSession(answer.value ? { kind: 'in', me: answer.value } : { kind: 'out', notice: '' });
  }, []);
  useEffect(() => {
    void load();
    return setSignedOutHandler(() => setSession({ kind: 'out', notice: 'You are logged out.' }));
  }, [load]);
  useScreen(main, session.kind === 'in' ? path : session.kind);

  return (
    <>
      <TopBar me={session.kind === 'in' ? session.me : null} />
      <main id="main" className="app-main" ref={main}>
        {session.kind === 'loading' && (
          <p role="status" className="app-quiet app-waiting">
            Loading...
          </p>
        )}
        {session.kind === 'failed' && (
          <div className="notice app-narrow">
            <h1 tabIndex={-1}>The operator’s area could not be opened.</h1>
            <p>{session.message}</p>
            <Button kind="primary" onClick={() => void load()}>
              Retry
            </Button>
          </div>
        )}
        {session.kind === 'out' && <SignIn notice={session.notice} onSignedIn={() => void load()} />}
        {session.kind === 'in' && <Screen path={path} />}
      </main>
      <Toasts />
    </>
  );
}

const loadError = (
  <div className="notice app-narrow">
    <h1 tabIndex={-1}>This screen could not be loaded.</h1>
    <Button kind="primary" onClick={() => window.location.reload()}>
      Retry
    </Button>
  </div>
);

function Screen({ path }: { path: string }) {
  if (path === '/operator') return <Overview />;
  const screen = screens[path];
  if (screen) return <Lazy key={path} screen={screen} props={{}} failure={loadError} />;
  const [, number] = /^\/operator\/clinics\/(\d{1,10})$/.exec(path) ?? [];
  if (number) return <Lazy key={number} screen={clinic} props={{ number: Number(number) }} failure={loadError} />;
  return (
    <div className="notice app-narrow">
      <h1 tabIndex={-1}>There is nothing at this address.</h1>
    </div>
  );
}
