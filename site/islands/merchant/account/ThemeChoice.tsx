import { useState } from 'react';
import '#site/styles/parts/form/switch.css';

const themes = [
  ['', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** The theme of this browser, as the footer of the pages for everybody has it (site/inline/theme-switch.js). */
export function ThemeChoice() {
  const [chosen, setChosen] = useState(document.documentElement.dataset.theme ?? '');
  const choose = (theme: string) => {
    setChosen(theme);
    document.documentElement.dataset.theme = theme;
    try {
      localStorage.setItem('theme', theme);
    } catch {
      // A browser that keeps nothing shows it until the page is left.
    }
  };
  return (
    <div className="account-theme">
      <span aria-hidden="true">Theme</span>
      <fieldset className="switch" aria-label="Theme">
        {themes.map(([theme, name]) => (
          <button key={theme} type="button" aria-pressed={theme === chosen} onClick={() => choose(theme)}>
            {name}
          </button>
        ))}
      </fieldset>
    </div>
  );
}
