import { staffRoleNames } from '../../../../shared/contracts/team-values.ts';
import { AppLink } from '../../ui/routing/router.tsx';
import { may, readAppView } from '../parts/app-view.ts';
import { accountParts } from './account-parts.ts';
import { SpokenChoice } from './SpokenChoice.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import '../../../styles/areas/merchant/account-menu.css';

type Props = { close(): void; onSwitch(): void };

/** Whose account it is, and what belongs to the person. */
export function AccountMenu({ close, onSwitch }: Props) {
  const { data, person } = readAppView();
  const role = staffRoleNames[person.role].name.toLowerCase();
  return (
    <>
      <p className="account-who">
        <strong>{data.merchant?.merchant_name}</strong>
        <span>
          {person.name || person.email ? `${person.name || person.email}, ${role}` : 'Support, who may only look'}
        </span>
        {person.name && <span className="account-email">{person.email}</span>}
      </p>
      {may('manager') && (
        <AppLink href="/openInvoices?reminders=open" onClick={close}>
          Reminders
        </AppLink>
      )}
      {accountParts.map(
        ({ name, path, least }) =>
          may(least) && (
            <AppLink key={path} href={path} onClick={close}>
              {name}
            </AppLink>
          ),
      )}
      <button
        type="button"
        onClick={() => {
          close();
          onSwitch();
        }}
      >
        Switch person
      </button>
      <SpokenChoice />
      <ThemeChoice />
      <a className="menu-last" href="/logout">
        Log Out
      </a>
    </>
  );
}
