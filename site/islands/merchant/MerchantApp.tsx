import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { AppView } from '../../../shared/contracts/session.ts';
import { operator } from '../../../shared/operator.ts';
import { AppBoundary, AppError } from './AppBoundary.tsx';
import { tokenIn } from './access-token.ts';
import { api, leave } from './api.ts';
import { gateOf, readAppView } from './gate.ts';
import { Home } from './Home.tsx';
import { MerchantInfo } from './MerchantInfo.tsx';
import { usePath } from './router.tsx';
import { SignUp } from './SignUp.tsx';
import { TopBar } from './TopBar.tsx';
import { UserInfo } from './UserInfo.tsx';
import '../../styles/parts/card.css';
import '../../styles/areas/app.css';

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
  useScreen(main, isShell ? path : view.gate);
  useLeaving();

  return (
    <>
      <TopBar hasLinks={isShell} />
      <main id="main" className="app-main" ref={main}>
        <AppBoundary key={path}>
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
    return <SignUp support={support} onSetUp={async () => Boolean((await readAgain())?.merchant)} />;
  }
  if (gate === 'merchant') {
    return (
      <MerchantInfo
        merchant={data.merchant}
        logs={data.logs}
        support={support}
        onRefresh={async () => (await readAgain()) !== null}
      />
    );
  }
  if (path === '/') return <Home name={data.merchant.merchant_name} devices={data.devices} />;
  if (path === '/userinfo') return <UserInfo />;
  return <AppError>There is nothing at this address.</AppError>;
}

/** The page is called after its heading; a screen that replaces another is read out from there. */
function useScreen(main: RefObject<HTMLElement | null>, screen: string): void {
  const shown = useRef(screen);
  useEffect(() => {
    const heading = main.current?.querySelector('h1');
    if (heading) document.title = `${heading.textContent} – ${operator.name}`;
    if (shown.current !== screen) heading?.focus();
    shown.current = screen;
  }, [main, screen]);
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
