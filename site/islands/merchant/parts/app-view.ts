import type { AppView } from '../../../../shared/contracts/session.ts';
import type { StaffRole } from '../../../../shared/contracts/team-values.ts';

export const APP_VIEW_ID = 'app-view';

export function readAppView(): AppView {
  return JSON.parse(document.getElementById(APP_VIEW_ID)?.textContent ?? '') as AppView;
}

/** Whether to offer what takes at least this role. The Worker decides again when it is asked. */
export const may = (least: StaffRole): boolean => readAppView().may.includes(least);
