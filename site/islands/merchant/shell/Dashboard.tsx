import { useEffect, useId, useRef, useState } from 'react';
import { preload } from '#site/islands/ui/routing/lazy-screen.ts';
import { AppLink, usePath } from '#site/islands/ui/routing/router.tsx';
import { useApiError } from '../api/api.ts';
import { apiErrorPart, Lazy } from '../common/Lazy.tsx';
import { customerSource } from '../lists/customers.ts';
import { fetchFirstPage } from '../lists/use-list.ts';
import { AccountButton } from './AccountButton.tsx';
import { accountMenu } from './lazy-areas.ts';
import { type View, viewAt, views } from './views.ts';
import '#site/styles/areas/merchant/dashboard.css';
import { operator } from '#shared/operator';
import { useDismiss } from '#site/islands/ui/feedback/use-popover.ts';
import { Icon } from '#site/islands/ui/Icon.tsx';

/** Links to the dashboard's views. On a small screen, they are behind a button that names the current view. */
export function Sidebar({ current }: { current: View | null }) {
  const id = useId();
  const currentView = views.find(({ path }) => path === (current?.parentPath ?? current?.path));
  const [isOpen, setOpen] = useState(false);
  const nav = useRef<HTMLElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useDismiss(nav, isOpen, (trigger) => {
    setOpen(false);
    if (trigger === 'escape') button.current?.focus();
  });
  return (
    <nav className="side" aria-label="Dashboard" ref={nav}>
      <p className="side-title">{operator.name}</p>
      <button
        type="button"
        className="button button-secondary side-button"
        ref={button}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {currentView?.sidebarName ?? 'Views'}
        <Icon name="chevronDown" size="sm" />
      </button>
      <ul id={id} className={isOpen ? 'side-links side-links-open' : 'side-links'}>
        {views.map(
          ({ sidebarName: entry, path }) =>
            entry && (
              <li key={path}>
                <AppLink href={path} isActive={path === currentView?.path} onClick={() => setOpen(false)}>
                  {entry}
                </AppLink>
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}

export function Dashboard() {
  return useApiError() === null ? <DashboardFrame /> : <Lazy screen={apiErrorPart} props={{ title: 'Dashboard' }} />;
}

function DashboardFrame() {
  const view = viewAt(usePath());
  useEffect(() => {
    void fetchFirstPage(customerSource);
    preload(accountMenu);
  }, []);
  return (
    <div className="dash">
      <div className="dash-head">
        <h1 tabIndex={-1}>Dashboard</h1>
        <AccountButton />
      </div>
      <Sidebar current={view} />
      <div className="dash-view">{view && <Lazy key={view.path} screen={view.screen} props={{}} />}</div>
    </div>
  );
}
