import type { AppView } from '../../../../shared/contracts/session.ts';

export const APP_VIEW_ID = 'app-view';

export function readAppView(): AppView {
  return JSON.parse(document.getElementById(APP_VIEW_ID)?.textContent ?? '') as AppView;
}
