import { useRef, useState } from 'react';
import { operator } from '../../../shared/operator.ts';
import { Icon } from '../ui/Icon.tsx';
import { AppLink, usePath } from '../ui/router.tsx';
import '../../styles/parts/wordmark.css';

/** `below`: the addresses of screens that are reached from there. */
const links: { name: string; path: string; below?: string }[] = [
  { name: 'Take Payment', path: '/payments' },
  { name: 'Customers', path: '/customers' },
  { name: 'Invoices', path: '/invoices', below: '/invoice/' },
  { name: 'User Info', path: '/userinfo' },
];

/** The head of every screen; the links come with the shell. */
export function TopBar({ hasLinks }: { hasLinks: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const at = usePath();
  const menu = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  return (
    <header className="app-bar">
      <AppLink href="/" className="app-home" aria-label={`${operator.name}, home`} onClick={close}>
        <svg className="wordmark" viewBox="0 0 100 27" aria-hidden="true">
          <use href="#wordmark" />
        </svg>
      </AppLink>
      {hasLinks && (
        <nav
          aria-label="Main"
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !isOpen) return;
            close();
            menu.current?.focus();
          }}
        >
          <button
            type="button"
            className="button button-secondary app-menu"
            ref={menu}
            aria-expanded={isOpen}
            aria-controls="app-links"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
            <Icon name="chevronDown" size="sm" />
          </button>
          <ul id="app-links" className={isOpen ? 'app-links app-links-open' : 'app-links'}>
            {links.map(({ name, path, below }) => (
              <li key={path}>
                <AppLink
                  href={path}
                  isHere={at === path || (below !== undefined && at.startsWith(below))}
                  onClick={close}
                >
                  {name}
                </AppLink>
              </li>
            ))}
            <li className="app-links-last">
              <a href="/logout">Logout</a>
            </li>
          </ul>
        </nav>
      )}
    </header>
  );
}
