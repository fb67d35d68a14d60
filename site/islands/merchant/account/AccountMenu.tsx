import { AppLink } from '../../ui/routing/router.tsx';
import { may } from '../parts/app-view.ts';
import { accountParts } from './account-parts.ts';

/** The links of the Account menu. */
export const AccountMenu = ({ close }: { close(): void }) => (
  <>
    {accountParts.map(
      ({ name, path, least }) =>
        may(least) && (
          <AppLink key={path} href={path} onClick={close}>
            {name}
          </AppLink>
        ),
    )}
    <a className="menu-last" href="/logout">
      Log Out
    </a>
  </>
);
