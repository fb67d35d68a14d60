import { useState } from 'react';
import { isSpoken, switchSpoken } from '../today/spoken.ts';

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
