import '#site/styles/parts/form/button.css';

/** A plain link: the Worker ends the session and shows the homepage. */
export function LogOut() {
  return (
    <a className="button button-ghost" href="/logout">
      Logout
    </a>
  );
}
