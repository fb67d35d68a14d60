import { type ReactNode, useRef, useState } from 'react';
import { Icon } from './Icon.tsx';
import { AppLink } from './routing/router.tsx';
import '#site/styles/areas/public/app-bar.css';

type Props = {
  home: { path: string; label: string };
  logo: ReactNode;
  /** Renders the links as list items. On a narrow screen, they are in a menu that `close` closes. */
  links: ((close: () => void) => ReactNode) | null;
  /** Further buttons, which are beside the menu button on a narrow screen. */
  tools?: ReactNode;
};

/** The top bar of every screen. */
export function AppBar({ home, logo: mark, links, tools }: Props) {
  const [isOpen, setOpen] = useState(false);
  const menuButton = useRef<HTMLButtonElement>(null);
  const close = () => setOpen(false);
  return (
    <header className="app-bar">
      <AppLink href={home.path} className="app-home" aria-label={home.label} onClick={close}>
        {mark}
      </AppLink>
      {links && (
        <nav
          aria-label="Main"
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !isOpen) return;
            close();
            menuButton.current?.focus();
          }}
        >
          {tools && <div className="app-tools">{tools}</div>}
          <button
            type="button"
            className="button button-secondary app-menu"
            ref={menuButton}
            aria-expanded={isOpen}
            aria-controls="app-links"
            onClick={() => setOpen(!isOpen)}
          >
            Menu
            <Icon name="chevronDown" size="sm" />
          </button>
          <ul id="app-links" className={isOpen ? 'app-links app-links-open' : 'app-links'}>
            {links(close)}
          </ul>
        </nav>
      )}
    </header>
  );
}
