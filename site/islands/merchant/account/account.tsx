import { type LazyScreen, lazyScreen } from '#site/islands/ui/routing/lazy-screen.ts';
import { usePath } from '#site/islands/ui/routing/router.tsx';
import { AppError } from '../parts/AppBoundary.tsx';
import { readAppView } from '../parts/app-view.ts';
import { showClinicTime } from '../parts/clinic-time.ts';
import { Lazy } from '../parts/Lazy.tsx';

// This file loads when the browser is idle, so the code of this line stays out of the first bundle.
showClinicTime(readAppView().timeZone);

export { AccountMenu } from './AccountMenu.tsx';

/** The shell imports only this map, so the first bundle has one chunk address and not one per part. */
const parts: Record<string, LazyScreen<object>> = {
  '/userinfo': lazyScreen(() => import('./UserInfo.tsx').then((code) => code.UserInfo)),
  '/audit': lazyScreen(() => import('./AuditTrail.tsx').then((code) => code.AuditTrail)),
  '/help': lazyScreen(() => import('./Help.tsx').then((code) => code.Help)),
  '/account/team': lazyScreen(() => import('./team/Team.tsx').then((code) => code.Team)),
  '/account/sessions': lazyScreen(() => import('./Sessions.tsx').then((code) => code.Sessions)),
  '/account/sign-in': lazyScreen(() => import('./SignIn.tsx').then((code) => code.SignIn)),
  '/account/records': lazyScreen(() => import('./records/Records.tsx').then((code) => code.Records)),
  '/account/write-back': lazyScreen(() => import('./write-back/WriteBack.tsx').then((code) => code.WriteBack)),
  '/account/pay-page': lazyScreen(() => import('./PayPageSettings.tsx').then((code) => code.PayPageSettings)),
  '/account/parts': lazyScreen(() => import('./PaymentInParts.tsx').then((code) => code.PaymentInParts)),
  '/account/approvals': lazyScreen(() => import('./Approvals.tsx').then((code) => code.Approvals)),
};

/** The part of Account at the address. */
export function Account() {
  const path = usePath();
  const part = parts[path];
  return part ? <Lazy key={path} of={part} props={{}} /> : <AppError>There is nothing at this address.</AppError>;
}

/** Opens the dialog in which a colleague logs in on this browser. */
export const switchPerson = async (): Promise<void> => (await import('./SwitchPerson.tsx')).openSwitch();
