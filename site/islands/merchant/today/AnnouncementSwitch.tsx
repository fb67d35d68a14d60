import { useState } from 'react';

/** The localStorage key for users of screen readers who want no announcements in this browser. */
const STORAGE_KEY = 'todayQuiet';

/** True if new payments are announced. This is also the default if the browser has no storage. */
export function areAnnouncementsOn(): boolean {
  try {
    return localStorage.getItem(STORAGE_KEY) === null;
  } catch {
    return true;
  }
}

export function setAnnouncements(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(STORAGE_KEY);
    else localStorage.setItem(STORAGE_KEY, 'yes');
  } catch {
    // Without storage, the setting stays unchanged.
  }
}

/** The switch for screen reader announcements of new payments on the dashboard. */
export function AnnouncementSwitch() {
  const [isOn, setOn] = useState(areAnnouncementsOn);
  return (
    <label className="account-spoken">
      <span>Announce new payments</span>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ target }) => {
          setAnnouncements(target.checked);
          setOn(areAnnouncementsOn());
        }}
      />
    </label>
  );
}
