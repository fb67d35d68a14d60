import { useState } from 'react';

/** In the browser's own storage: who hears the screen read out may want quiet at this desk. */
const OFF = 'todayQuiet';

/** Whether a screen reader is told of a new payment. A browser that keeps nothing tells. */
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
    // It stays as it is.
  }
}

/** Whether screen readers of this browser are told of a new payment while the day is on the screen. */
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
