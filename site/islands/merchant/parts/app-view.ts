import type { AppView } from '../../../../shared/contracts/session.ts';
import type { StaffRight } from '../../../../shared/contracts/team-values.ts';

export const APP_VIEW_ID = 'app-view';

export function readAppView(): AppView {
  return JSON.parse(document.getElementById(APP_VIEW_ID)?.textContent ?? '') as AppView;
}

/** Whether to offer what takes this right; undefined: everybody may. The Worker decides again when it is asked. */
export const may = (right: StaffRight | undefined): boolean => !right || readAppView().may.includes(right);
