import { useCallback, useEffect, useRef, useState } from 'react';
import type { OperatorMe } from '#shared/contracts/operators/operator';
import { Toasts } from '../ui/feedback/Toasts.tsx';
import { Button } from '../ui/form/Button.tsx';
import { Lazy } from '../ui/routing/Lazy.tsx';
import { type LazyScreen, lazyScreen } from '../ui/routing/lazy-screen.ts';
import { AppLink, usePath } from '../ui/routing/router.tsx';
import { useScreen } from '../ui/routing/use-screen.ts';
import { signOut, whenSignedOut, whoAmI } from './api.ts';
import { Clinics } from './Clinics.tsx';
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
  { name: 'Operators', path: '/operator/operators' },
];

export function TopBar({ me }: { me: OperatorMe | null }) {
  const at = usePath();
  const isHere = (path: string) => at === path || (path !== '/operator' && at.startsWith(`${path}/`));
  return (
    <AppBar
      home={{ path: '/operator', label: `${operator.name}, overview` }}
      mark={<Wordmark />}
      links={
        me &&
        ((close) => (
          <>
            {links.map(({ name, path }) => (
              <li key={path}>
                <AppLink href={path} isHere={isHere(path)} onClick={close}>
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
/** The other screens, by their address. */
const screens: Record<string, LazyScreen<object>> = {
  '/operator/operators': lazyScreen(() => import('./OperatorList.tsx').then((code) => code.OperatorList)),
  '/operator/health': lazyScreen(() => import('./HealthScreen.tsx').then((code) => code.HealthScreen)),
  '/operator/mails': lazyScreen(() => import('./MailList.tsx').then((code) => code.MailList)),
  '/operator/builds': lazyScreen(() => import('./BuildList.tsx').then((code) => code.BuildList)),
  '/operator/runbook': lazyScreen(() => import('./RunbookScreen.tsx').then((code) => code.RunbookScreen)),
  '/operator/restore': lazyScreen(() => import('./RestoreScreen.tsx').then((code) => code.RestoreScreen)),
};

type Seen =
  | { kind: 'asking' }
  | { kind: 'failed'; message: string }
  | { kind: 'out'; notice: string }
  | { kind: 'in'; me: OperatorMe };

/** The operator's area: loads the signed-in operator, then shows the screen for the address. */
export function OperatorApp() {
  const [seen, setSeen] = useState<Seen>({ kind: 'asking' });
  const path = usePath();
  const main = useRef<HTMLElement>(null);
  const look = useCallback(async () => {
    const answer = await whoAmI();
    if (!answer.ok) return setSeen({ kind: 'failed', message: answer.error.message });
    setSeen(answer.value ? { kind: 'in', me: answer.value } : { kind: 'out', notice: '' });
  }, []);
  useEffect(() => {
    void look();
    return whenSignedOut(() => setSeen({ kind: 'out', notice: 'You are logged out.' }));
  }, [look]);
  useScreen(main, seen.kind === 'in' ? path : seen.kind);

  return (
    <>
      <TopBar me={seen.kind === 'in' ? seen.me : null} />
      <main id="main" className="app-main" ref={main}>
        {seen.kind === 'asking' && (
          <p role="status" className="app-quiet app-waiting">
            Loading...
          </p>
        )}
        {seen.kind === 'failed' && (
          <div className="notice app-narrow">
            <h1 tabIndex={-1}>The operator’s area could not be opened.</h1>
            <p>{seen.message}</p>
            <Button kind="primary" onClick={() => void look()}>
              Retry
            </Button>
          </div>
        )}
        {seen.kind === 'out' && <SignIn notice={seen.notice} onSignedIn={() => void look()} />}
        {seen.kind === 'in' && <Screen path={path} />}
      </main>
      <Toasts />
    </>
  );
}

const failed = (
  <div className="notice app-narrow">
    <h1 tabIndex={-1}>This screen could not be loaded.</h1>
    <Button kind="primary" onClick={() => window.location.reload()}>
      Retry
    </Button>
  </div>
);

function Screen({ path }: { path: string }) {
  if (path === '/operator') return <Overview />;
  if (path === '/operator/clinics') return <Clinics />;
  const screen = screens[path];
  if (screen) return <Lazy key={path} of={screen} props={{}} failed={failed} />;
  const [, number] = /^\/operator\/clinics\/(\d{1,10})$/.exec(path) ?? [];
  if (number) return <Lazy key={number} of={clinic} props={{ number: Number(number) }} failed={failed} />;
  return (
    <div className="notice app-narrow">
      <h1 tabIndex={-1}>There is nothing at this address.</h1>
    </div>
  );
}
