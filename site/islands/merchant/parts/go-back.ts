import { navigate } from '#site/islands/ui/routing/router.tsx';

/** Goes back within this site; after an entry from elsewhere, goes to `start`. */
export function goBack(start: string): void {
  // Without the Navigation API, the page before this one may be another site's.
  const isFromHere = window.navigation ? window.navigation.canGoBack : window.history.length > 1;
  if (isFromHere) window.history.back();
  else navigate(start);
}
