import { operator } from '#shared/operator';
import { AppBar } from '#site/islands/ui/AppBar.tsx';
import { Icon } from '#site/islands/ui/Icon.tsx';
import { AppLink, usePath } from '#site/islands/ui/routing/router.tsx';
import { hasRight } from '../common/app-view.ts';
import { topLinks } from '../common/navigation.ts';
import { AccountButton } from './AccountButton.tsx';
import { openPalette } from './lazy-areas.ts';
import { viewAt } from './views.ts';
import '#site/styles/parts/page/wordmark.css';

/** The top bar of every screen. `hasLinks` is false until the business is set up. */
export function TopBar({ hasLinks }: { hasLinks: boolean }) {
  const current = usePath();
  // The dashboard has the account menu in its own header.
  const account = !viewAt(current) && <AccountButton />;
  const allLinks = (close: () => void) => (
    <>
      {topLinks.map(
        ({ name, path, pathPrefix, icon, right }) =>
          hasRight(right) && (
            <li key={path} className={icon && 'app-links-last'}>
              {icon && <SearchButton />}
              <AppLink
                href={path}
                isActive={current === path || (pathPrefix !== undefined && current.startsWith(pathPrefix))}
                onClick={close}
                aria-label={icon && name}
              >
                {icon && <Icon name={icon} />}
                <span>{name}</span>
              </AppLink>
              {icon && account}
            </li>
          ),
      )}
      <li>
        <a href="/logout">Logout</a>
      </li>
    </>
  );
  return (
    <AppBar
      home={{ path: '/', label: `${operator.name}, home` }}
      logo={
        <svg className="wordmark" viewBox="0 0 100 27" aria-hidden="true">
          <use href="#wordmark" />
        </svg>
      }
      links={hasLinks ? allLinks : null}
      tools={
        <>
          <SearchButton />
          {account}
        </>
      }
    />
  );
}

const SHORTCUT = `${/Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'} K`;

const SearchButton = () => (
  <button
    type="button"
    className="jump"
    aria-label={`Search or jump to ${SHORTCUT}`}
    aria-haspopup="dialog"
    onClick={openPalette}
  >
    <Icon name="search" size="sm" />
    <span>Search or jump to</span> <kbd>{SHORTCUT}</kbd>
  </button>
);
