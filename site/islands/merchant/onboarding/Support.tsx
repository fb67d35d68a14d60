import { mailHref, telHref } from '#shared/contact';
import type { AppView } from '#shared/contracts/staff/session';
import { LogOutLink } from '../common/AppBoundary.tsx';
import '#site/styles/parts/page/contact.css';

type Props = { support: AppView['support'] };

/** The support contacts. */
export function SupportContacts({ support }: Props) {
  return (
    <>
      <p className="contact-lead">Still having issues? Contact support.</p>
      <p>
        <a href={telHref(support.phone)}>{support.phone}</a>
      </p>
      <p>
        <a href={mailHref(support.email)}>{support.email}</a>
      </p>
    </>
  );
}

/** The footer of the screens before the setup is complete, with the support contacts and a logout link. */
export function SupportFooter({ support }: Props) {
  return (
    <div className="contact">
      <SupportContacts support={support} />
      <div className="app-leave">
        <LogOutLink />
      </div>
    </div>
  );
}
