import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import type { AppView } from '../../../shared/contracts/session.ts';
import { operator } from '../../../shared/operator.ts';
import { usePath } from '../ui/router.tsx';
import { AppBoundary } from './AppBoundary.tsx';
import { tokenIn } from './access-token.ts';
import { api, leave } from './api.ts';
import { chunk } from './chunk.ts';
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

/** The page is called after its heading; a screen that replaces another is read out from there. */
function useScreen(main: RefObject<HTMLElement | null>, screen: string): void {
  const shown = useRef(screen);
  useEffect(() => {
    const part = main.current;
    if (!part) return;
    const isNew = shown.current !== screen;
    shown.current = screen;
    let isRead = false;
    const read = () => {
      const heading = part.querySelector('h1');
      if (!heading) return;
      document.title = `${heading.textContent} – ${operator.name}`;
      if (isNew && !isRead) heading.focus();
      isRead = true;
    };
    read();
    // A screen's code, or what its heading says, may still be on the way.
    const observer = new MutationObserver(read);
    observer.observe(part, { childList: true, subtree: true, characterData: true });
    return () => observer.disconnect();
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
