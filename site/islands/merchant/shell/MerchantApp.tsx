import { useEffect, useRef, useState } from 'react';
import { type AppView, gateOf } from '#shared/contracts/staff/session';
import { setTimeZone } from '#site/islands/ui/format-moment.ts';
import { lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { usePath } from '#site/islands/ui/routing/router.tsx';
import { useScreen } from '#site/islands/ui/routing/use-screen.ts';
import { loadAppUrl, returnAfterLogin } from '../api/addresses.ts';
import { leaveTo, readToken } from '../api/api.ts';
import { AppBoundary } from '../common/AppBoundary.tsx';
import { readAppView } from '../common/app-view.ts';
import { Lazy, useLazyPart } from '../common/Lazy.tsx';
import { listenToKeys } from './lazy-areas.ts';
import { preloadScreens, ShellScreen, screenName } from './screens.tsx';
import { TopBar } from './TopBar.tsx';
import '#site/styles/parts/page/card.css';
import '#site/styles/areas/merchant/app.css';

const signUp = lazyScreen(() => import('../onboarding/SignUp.tsx').then((code) => code.SignUp));
const standingBar = lazyScreen(() => import('../terminals/StandingBar.tsx').then((code) => code.StandingBar));
const merchantInfo = lazyScreen(() => import('../onboarding/MerchantInfo.tsx').then((code) => code.MerchantInfo));

export function MerchantApp() {
  return (
    <AppBoundary
      wrap={(error) => (
        <main id="main" className="app-main">
          {error}
        </main>
      )}
    >
      <GatedApp />
    </AppBoundary>
  );
}

/** Until the business is set up, every address shows the remaining steps of its registration. */
function GatedApp() {
  const [view, setView] = useState(readAppView);
  // The zone must be set before the first time is rendered.
  useState(() => setTimeZone(view.timeZone));
  const path = usePath();
  const updateData = (data: AppView['data']) => setView((previous) => ({ ...previous, gate: gateOf(data), data }));
  const main = useRef<HTMLElement>(null);
  const isShell = view.gate === 'shell';
  const StandingBar = useLazyPart(standingBar, isShell);
  const screen = isShell ? screenName(path) : view.gate;
  useScreen(main, screen, '.dash-view h2');
  useLeaveOnLogout();
  useEffect(() => {
    void loadAppUrl();
    returnAfterLogin();
  }, []);
  useEffect(() => {
    if (!isShell) return;
    listenToKeys();
    preloadScreens();
  }, [isShell]);

  return (
    <>
      <TopBar hasLinks={isShell} />
      {StandingBar && <StandingBar />}
      <main id="main" className="app-main" ref={main}>
        <AppBoundary key={screen}>
          <Screen view={view} path={path} onData={updateData} />
        </AppBoundary>
      </main>
    </>
  );
}

/** `onData` is called with merchant data that is newer than the page. */
type ScreenProps = { view: AppView; path: string; onData(data: AppView['data']): void };

function Screen({ view, path, onData }: ScreenProps) {
  const { gate, data, support } = view;
  if (gate === 'sign-up' || !data.merchant) {
    return <Lazy screen={signUp} props={{ support, onData }} />;
  }
  if (gate === 'merchant') {
    const { merchant, logs } = data;
    return <Lazy screen={merchantInfo} props={{ merchant, logs, support, onData }} />;
  }
  return <ShellScreen path={path} />;
}

/** Leaves the page after a logout in another tab, or if the browser's history restores it after a logout. */
function useLeaveOnLogout(): void {
  useEffect(() => {
    const leaveIfLoggedOut = () => {
      if (!document.hidden && !readToken(document.cookie)) leaveTo('/login');
    };
    window.addEventListener('pageshow', leaveIfLoggedOut);
    document.addEventListener('visibilitychange', leaveIfLoggedOut);
    return () => {
      window.removeEventListener('pageshow', leaveIfLoggedOut);
      document.removeEventListener('visibilitychange', leaveIfLoggedOut);
    };
  }, []);
}
