import { navigate } from '#site/islands/ui/routing/router.tsx';

/** In the tab's own storage: the address to which a login comes back, once. */
export const RETURN_TO = 'return-to';

export function returnAfterLogin(): void {
  const address = sessionStorage.getItem(RETURN_TO);
  if (!address) return;
  sessionStorage.removeItem(RETURN_TO);
  navigate(address, { replace: true });
}
