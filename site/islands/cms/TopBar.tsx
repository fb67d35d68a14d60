import type { ContentUser } from '#shared/contracts/content/content';
import { operator } from '#shared/operator';
import { AppBar } from '../ui/AppBar.tsx';
import { AppLink, usePath } from '../ui/routing/router.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { logOut } from './api.ts';
import '#site/styles/parts/form/button.css';

const links = [
  { name: 'Dashboard', path: '/cms', ownersOnly: false },
  { name: 'Posts', path: '/cms/posts', ownersOnly: false },
  { name: 'Pages', path: '/cms/pages', ownersOnly: false },
  { name: 'Media', path: '/cms/media', ownersOnly: false },
  { name: 'Users', path: '/cms/users', ownersOnly: true },
];

/** The top bar of every screen, with the logged-in member. */
export function TopBar({ user }: { user: ContentUser | null }) {
  const at = usePath();
  const isHere = (path: string) => at === path || (path !== '/cms' && at.startsWith(`${path}/`));
  return (
    <AppBar
      home={{ path: '/cms', label: `${operator.name}, dashboard` }}
      mark={<Wordmark />}
      links={(close) => (
        <>
          {links
            .filter(({ ownersOnly }) => !ownersOnly || user?.role === 'owner')
            .map(({ name, path }) => (
              <li key={path}>
                <AppLink href={path} isHere={isHere(path)} onClick={close}>
                  {name}
                </AppLink>
              </li>
            ))}
          <li className="app-links-last cms-welcome">
            {user && (
              <AppLink href="/cms/account" isHere={isHere('/cms/account')} onClick={close}>
                {`Welcome, ${user.name}`}
              </AppLink>
            )}
          </li>
          <li>
            <button type="button" className="cms-logout" onClick={() => void logOut()}>
              Logout
            </button>
          </li>
        </>
      )}
    />
  );
}
