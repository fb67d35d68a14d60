import { navigate } from '../../ui/routing/router.tsx';

/** Where the person came from within this site; whoever came from elsewhere goes to `start`. */
export function goBack(start: string): void {
  // Browsers without the Navigation API cannot tell whose page is before this one.
  const isFromHere = window.navigation ? window.navigation.canGoBack : window.history.length > 1;
  if (isFromHere) window.history.back();
  else navigate(start);
}
