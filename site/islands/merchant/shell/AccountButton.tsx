import { Disclosure } from '#site/islands/ui/feedback/Disclosure.tsx';
import { readAppView } from '../common/app-view.ts';
import { Lazy } from '../common/Lazy.tsx';
import { accountMenu, switchPerson } from './lazy-areas.ts';

/** Returns for example "GL" for "Grace Lindqvist" or "grace.lindqvist@clinic.example". */
const initialsOf = (name: string) =>
  name
    .replace(/@.*/, '')
    .split(/[\s._-]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');

/** A button that opens the account menu, labeled with the user's name. */
export function AccountButton() {
  const { data, person } = readAppView();
  const name = person.name || person.email || 'Support';
  return (
    <div className="account-button">
      <Disclosure
        label={
          <>
            <span className="account-disc" aria-hidden="true">
              {initialsOf(name)}
            </span>
            <span className="account-word" aria-hidden="true">
              Account
            </span>
            <span className="sr-only">
              {['Account', data.merchant?.merchant_name, name].filter(Boolean).join(', ')}
            </span>
          </>
        }
        align="end"
        isMenu
      >
        {(close) => <Lazy screen={accountMenu} props={{ close, onSwitch: switchPerson }} />}
      </Disclosure>
    </div>
  );
}
