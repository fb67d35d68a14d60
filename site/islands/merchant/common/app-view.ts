import type { AppView } from '#shared/contracts/staff/session';
import type { StaffRight } from '#shared/contracts/staff/team-values';

export const APP_VIEW_ID = 'app-view';

export function readAppView(): AppView {
  return JSON.parse(document.getElementById(APP_VIEW_ID)?.textContent ?? '') as AppView;
}

/**
 * True if the user has this right, or if `right` is undefined because none is needed. Screens use it to decide which
 * actions to offer. The Worker checks the right again on each call.
 */
export const hasRight = (right: StaffRight | undefined): boolean => !right || readAppView().may.includes(right);
