import { useState } from 'react';

/** Kept in localStorage: screen reader users may want silence at this desk. */
const OFF = 'todayQuiet';

/** True if new payments are announced; also without storage. */
export function isSpoken(): boolean {
  try {
    return localStorage.getItem(OFF) === null;
  } catch {
    return true;
  }
}

export function switchSpoken(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, 'yes');
  } catch {
    // Without storage, the setting stays unchanged.
  }
}

/** The switch for screen reader announcements of new payments on the dashboard. */
export function SpokenChoice() {
  const [isOn, setOn] = useState(isSpoken);
  return (
    <label className="account-spoken">
      <span>Announce new payments</span>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          switchSpoken(target.checked);
          setOn(isSpoken());
        }}
      />
    </label>
  );
}
