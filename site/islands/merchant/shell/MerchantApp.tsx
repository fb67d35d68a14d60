import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppView } from '../../../../shared/contracts/session.ts';
import { gateOf } from '../../../../shared/gate.ts';
import { lazyScreen } from '../../ui/routing/lazy-screen.ts';
import { usePath } from '../../ui/routing/router.tsx';
import { useScreen } from '../../ui/routing/use-screen.ts';
import { tokenIn } from '../api/access-token.ts';
import { api, leave } from '../api/api.ts';
import { loadAppUrl } from '../api/app-url.ts';
import { AppBoundary } from '../parts/AppBoundary.tsx';
import { Lazy } from '../parts/Lazy.tsx';
import { readAppView } from './app-view.ts';
import { preloadRest, ShellScreen, screenName } from './screens.tsx';
import { TopBar } from './TopBar.tsx';
import '../../../styles/parts/page/card.css';
import '../../../styles/areas/merchant/app.css';

const signUp = lazyScreen(() => import('../onboarding/SignUp.tsx').then((code) => code.SignUp));
const merchantInfo = lazyScreen(() => import('../account/MerchantInfo.tsx').then((code) => code.MerchantInfo));

export function MerchantApp() {
  return (
    <AppBoundary
      wrap={(error) => (
        <main id="main" className="app-main">
          {error}
        </main>
      )}
    >
      <Gated />
    </AppBoundary>
  );
}

/** The gate comes before the address: until a business is ready, every address shows the remaining steps. */
function Gated() {
  const [view, setView] = useState(readAppView);
  const path = usePath();
  const readAgain = useCallback(async () => {
    const answer = await api.getMerchantData();
    if (!answer.ok) return null;
    setView((before) => ({ ...before, gate: gateOf(answer.value), data: answer.value }));
    return answer.value;
  }, []);
  const main = useRef<HTMLElement>(null);
  const isShell = view.gate === 'shell';
  const screen = isShell ? screenName(path) : view.gate;
  useScreen(main, screen);
  useLeaving();
  useEffect(() => void loadAppUrl(), []);
  useEffect(() => {
    if (isShell) preloadRest();
  }, [isShell]);

  return (
    <>
      <TopBar hasLinks={isShell} />
      <main id="main" className="app-main" ref={main}>
        <AppBoundary key={screen}>
          <Screen view={view} path={path} readAgain={readAgain} />
        </AppBoundary>
      </main>
    </>
  );
}

type ScreenProps = { view: AppView; path: string; readAgain(): Promise<AppView['data'] | null> };

function Screen({ view, path, readAgain }: ScreenProps) {
  const { gate, data, support } = view;
  if (gate === 'sign-up' || !data.merchant) {
    return <Lazy of={signUp} props={{ support, onSetUp: async () => Boolean((await readAgain())?.merchant) }} />;
  }
  if (gate === 'merchant') {
    const { merchant, logs } = data;
    return (
      <Lazy
        of={merchantInfo}
        props={{ merchant, logs, support, onRefresh: async () => (await readAgain()) !== null }}
      />
    );
  }
  return <ShellScreen path={path} />;
}

/** Leave the page after a logout in another tab, or when the browser's history brings it back. */
function useLeaving(): void {
  useEffect(() => {
    const check = () => {
      if (!document.hidden && !tokenIn(document.cookie)) leave('/login');
    };
    window.addEventListener('pageshow', check);
    document.addEventListener('visibilitychange', check);
    return () => {
      window.removeEventListener('pageshow', check);
      document.removeEventListener('visibilitychange', check);
    };
  }, []);
}
