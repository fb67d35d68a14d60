import { operator } from '../../../../shared/operator.ts';
import { AppBar } from '../../ui/AppBar.tsx';
import { AppLink, usePath } from '../../ui/routing/router.tsx';
import { may } from '../parts/app-view.ts';
import { switchPerson } from './account.ts';
import { topLinks } from './top-links.ts';
import '../../../styles/parts/page/wordmark.css';

/** The top bar of every screen; only the shell has links. */
export function TopBar({ hasLinks }: { hasLinks: boolean }) {
  const at = usePath();
  const allLinks = (close: () => void) => (
    <>
      {topLinks.map(
        ({ name, path, below, least = 'reader' }) =>
          may(least) && (
            <li key={path}>
              <AppLink
                href={path}
                isHere={at === path || (below !== undefined && at.startsWith(below))}
                onClick={close}
              >
                {name}
              </AppLink>
            </li>
          ),
      )}
      <li className="app-links-last">
        <button
          type="button"
          className="app-switch"
          onClick={() => {
            close();
            switchPerson();
          }}
        >
          Switch person
        </button>
      </li>
      <li>
        <a href="/logout">Logout</a>
      </li>
    </>
  );
  return (
    <AppBar
      home={{ path: '/', label: `${operator.name}, home` }}
      mark={
        <svg className="wordmark" viewBox="0 0 100 27" aria-hidden="true">
          <use href="#wordmark" />
        </svg>
      }
      links={hasLinks ? allLinks : null}
    />
  );
}
