import { useEffect } from 'react';
import { type LazyScreen, lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { navigate, usePath } from '#site/islands/ui/routing/router.tsx';
import { AppError } from '../common/AppBoundary.tsx';
import { readAppView } from '../common/app-view.ts';
import { showClinicTime } from '../common/clinic-time.ts';
import { Lazy } from '../common/Lazy.tsx';

// This file loads when the browser is idle, so the code for this call is not in the first bundle.
showClinicTime(readAppView().timeZone);

export { AccountMenu } from './AccountMenu.tsx';

/** The shell does not import these screens itself, so the first bundle contains only the chunk URL of this file. */
const screens: Record<string, LazyScreen<object>> = {
  '/userinfo': lazyScreen(() => import('./own/UserInfo.tsx').then((code) => code.UserInfo)),
  '/audit': lazyScreen(() => import('./AuditTrail.tsx').then((code) => code.AuditTrail)),
  '/help': lazyScreen(() => import('./Help.tsx').then((code) => code.Help)),
  '/account/team': lazyScreen(() => import('./team/Team.tsx').then((code) => code.Team)),
  '/account/records': lazyScreen(() => import('./records/Records.tsx').then((code) => code.Records)),
  '/account/payments': lazyScreen(() =>
    import('./settings/PaymentsSettings.tsx').then((code) => code.PaymentsSettings),
  ),
  '/account/approvals': lazyScreen(() => import('./Approvals.tsx').then((code) => code.Approvals)),
};

/** Former screens that users may have bookmarked, and the sections that replaced them. */
const redirects: Record<string, { path: string; section: string }> = {
  '/account/sessions': { path: '/userinfo', section: 'sessions' },
  '/account/sign-in': { path: '/userinfo', section: 'passkeys-and-pin' },
  '/account/pay-page': { path: '/account/payments', section: 'bill-lines' },
  '/account/parts': { path: '/account/payments', section: 'partial-payments' },
  '/account/write-back': { path: '/account/payments', section: 'recording' },
};

/** Shows the Account screen at the current path. */
export function Account() {
  const currentPath = usePath();
  const redirect = redirects[currentPath];
  const path = redirect?.path ?? currentPath;
  useEffect(() => {
    if (redirect) navigate(`${redirect.path}#${redirect.section}`, { replace: true });
  }, [redirect]);
  const screen = screens[path];
  return screen ? (
    <Lazy key={path} screen={screen} props={{}} />
  ) : (
    <AppError>There is nothing at this address.</AppError>
  );
}

/** Opens the dialog in which a colleague logs in on this browser. */
export const switchPerson = async (): Promise<void> => (await import('./own/SwitchPerson.tsx')).openSwitchPerson();
