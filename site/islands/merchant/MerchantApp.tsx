import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppView } from '../../../shared/contracts/session.ts';
import { chunk } from '../ui/chunk.ts';
import { usePath } from '../ui/router.tsx';
import { useScreen } from '../ui/use-screen.ts';
import { AppBoundary } from './AppBoundary.tsx';
import { tokenIn } from './access-token.ts';
import { api, leave } from './api.ts';
import { loadAppUrl } from './app-url.ts';
import { gateOf, readAppView } from './gate.ts';
import { Lazy } from './Lazy.tsx';
import { preloadRest, ShellScreen, screenName } from './screens.tsx';
import { TopBar } from './TopBar.tsx';
import '../../styles/parts/card.css';
import '../../styles/areas/app.css';

const signUp = chunk(() => import('./SignUp.tsx').then((code) => code.SignUp));
const merchantInfo = chunk(() => import('./MerchantInfo.tsx').then((code) => code.MerchantInfo));

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

/** First the gate, then the address: before a business is ready every address shows what is left to do. */
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

/** After a logout in another tab, or back out of the browser's history, nothing stays on the screen. */
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
