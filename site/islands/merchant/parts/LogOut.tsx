import '../../../styles/parts/form/button.css';

/** A plain address: the session ends at the Worker, which then shows the homepage. */
export function LogOut() {
  return (
    <a className="button button-ghost" href="/logout">
      Logout
    </a>
  );
}
