import { Icon } from '#site/islands/ui/Icon.tsx';

/** Tells a member that an owner still has to approve the account. */
export function PendingCard({ onBack }: { onBack(): void }) {
  return (
    <section className="card app-narrow" aria-labelledby="pending">
      <h1 id="pending" tabIndex={-1} className="sign-in-waiting">
        <Icon name="clock" />
        Your account is waiting for the owner.
      </h1>
      <p>An owner of this site has to let you in. After that, log in here with your e-mail and password.</p>
      <p className="sign-in-links">
        <button type="button" className="text-button" onClick={onBack}>
          Back to the login
        </button>
      </p>
    </section>
  );
}
