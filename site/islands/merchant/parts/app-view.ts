import type { AppView } from '#shared/contracts/staff/session';
import type { StaffRight } from '#shared/contracts/staff/team-values';

export const APP_VIEW_ID = 'app-view';

export function readAppView(): AppView {
  return JSON.parse(document.getElementById(APP_VIEW_ID)?.textContent ?? '') as AppView;
}

/**
 * True if the screen may offer an action that needs this right; undefined: no right is needed. The Worker checks each
 * call again.
 */
export const may = (right: StaffRight | undefined): boolean => !right || readAppView().may.includes(right);
