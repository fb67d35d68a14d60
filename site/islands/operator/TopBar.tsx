import type { OperatorMe } from '#shared/contracts/operator';
import { operator } from '#shared/operator';
import { AppBar } from '../ui/AppBar.tsx';
import { AppLink, usePath } from '../ui/routing/router.tsx';
import { Wordmark } from '../ui/Wordmark.tsx';
import { signOut } from './api.ts';
import '#site/styles/parts/form/button.css';

const links = [
  { name: 'Overview', path: '/operator' },
  { name: 'Clinics', path: '/operator/clinics' },
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
                Sign out
              </button>
            </li>
          </>
        ))
      }
    />
  );
}
