import { mailHref, telHref } from '../../../../shared/contact.ts';
import type { AppView } from '../../../../shared/contracts/session.ts';
import { LogOut } from './LogOut.tsx';
import '../../../styles/parts/page/contact.css';

/** The foot of the screens before the shell: support contacts and logout. */
export function Support({ support }: { support: AppView['support'] }) {
  return (
    <div className="contact">
      <p className="contact-lead">Still having issues? Contact support.</p>
      <p>
        <a href={telHref(support.phone)}>{support.phone}</a>
      </p>
      <p>
        <a href={mailHref(support.email)}>{support.email}</a>
      </p>
      <div className="app-leave">
        <LogOut />
      </div>
    </div>
  );
}
