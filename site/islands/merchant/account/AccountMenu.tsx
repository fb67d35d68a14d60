import { roleWords } from '#shared/text/staff-roles';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { hasRight, readAppView } from '../common/app-view.ts';
import { accountScreens } from '../common/navigation.ts';
import { AnnouncementSwitch } from '../today/AnnouncementSwitch.tsx';
import { breakableEmail } from './break-address.tsx';
import '#site/styles/areas/merchant/account/account-menu.css';
import { useState } from 'react';
import '#site/styles/parts/form/switch.css';

const themes = [
  ['', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The theme in this browser. The footer of the public pages offers the same choice (site/inline/theme-switch.js). */
export function ThemeChoice() {
  const [current, setCurrent] = useState(document.documentElement.dataset.theme ?? '');
  const applyTheme = (theme: string) => {
    setCurrent(theme);
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem('theme', theme);
    } catch {
      // Without storage, the choice lasts until the user leaves the page.
    }
  };
  return (
    <div className="account-theme">
      <span aria-hidden="true">Theme</span>
      <fieldset className="switch" aria-label="Theme">
        {themes.map(([theme, name]) => (
          <button key={theme} type="button" aria-pressed={theme === current} onClick={() => applyTheme(theme)}>
            {name}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

type Props = { close(): void; onSwitch(): void };

/** The account menu: the name of the logged-in user, and links to their settings. */
export function AccountMenu({ close, onSwitch }: Props) {
  const { data, person } = readAppView();
  const role = roleWords[person.role].name.toLowerCase();
  return (
    <>
      <p className="account-who">
        <strong>{data.merchant?.merchant_name}</strong>
        <span>
          {person.name || breakableEmail(person.email) || 'Support'},{' '}
          {person.name || person.email ? role : 'may only look'}
        </span>
        {person.name && <span className="account-email">{breakableEmail(person.email)}</span>}
      </p>
      {accountScreens.map(
        ({ name, path, right, startsGroup }) =>
          hasRight(right) && (
            <AppLink key={path} href={path} className={startsGroup ? 'menu-apart' : undefined} onClick={close}>
              {name}
            </AppLink>
          ),
      )}
      <button
        type="button"
        className="menu-apart"
        onClick={() => {
          close();
          onSwitch();
        }}
      >
        Switch person
      </button>
      <AnnouncementSwitch />
      <ThemeChoice />
      <a className="menu-apart" href="/logout">
        Log Out
      </a>
    </>
  );
}
