import type { OwnFactors, OwnPasskey } from '#shared/contracts/staff/proof';
import { LoadFailure, useLoad } from '#site/islands/merchant/parts/use-load.tsx';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { formatDay, formatWhen } from '#site/islands/ui/format-moment.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { fetchFactors, removePasskey, removePin } from './api.ts';
import { NewFactor } from './NewFactor.tsx';

/** The person's factors, used at login, before refunds and at a shared desk. */
export function SignIn() {
  const load = useLoad('factors', 'Failed to fetch passkeys and PIN', fetchFactors);
  const { value: factors, failure, reload } = load;
  return (
    <AccountFrame title="Passkeys and PIN">
      <p>
        Refunds, voids, the footer text and rights ask who you are when your last proof is older than 15 minutes. A
        passkey also logs you in. With a PIN you take over a browser that colleagues share.
      </p>
      <LoadFailure lead="Your passkeys could not be loaded." load={load} />
      {!factors && !failure && (
        <p role="status" className="app-quiet">
          Loading...
        </p>
      )}
      {factors && <Passkeys factors={factors} onChanged={reload} />}
      {factors && <Pin factors={factors} onChanged={reload} />}
    </AccountFrame>
  );
}

type Props = { factors: OwnFactors; onChanged(): void };

function Passkeys({ factors, onChanged }: Props) {
  return (
    <section className="card account-part" aria-labelledby="passkeys">
      <h2 id="passkeys">Passkeys</h2>
      {factors.passkeys.length === 0 ? (
        <p className="app-quiet">None yet. A passkey is your finger, your face or the PIN of this device.</p>
      ) : (
        <ul className="account-rows">
          {factors.passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onChanged={onChanged} />
          ))}
        </ul>
      )}
      <div>
        <NewFactor kind="passkey" verb="Add a passkey" takes={factors.change_takes} onDone={onChanged} />
      </div>
    </section>
  );
}

function PasskeyRow({ passkey, onChanged }: { passkey: OwnPasskey; onChanged(): void }) {
  const { id, label, created_at, used_at } = passkey;
  return (
    <li>
      <span className="account-main">
        <strong>{label}</strong>
        <span className="account-sub">
          Added {formatDay(created_at)}, {used_at ? `last used ${formatWhen(used_at)}` : 'never used'}
        </span>
      </span>
      <Act
        label="Remove"
        about={label}
        title={`Remove the passkey ${label}?`}
        verb="Remove"
        destroys
        run={() => removePasskey(id)}
        done={`The passkey ${label} was removed.`}
        onDone={onChanged}
      >
        <p>It then opens nothing here any more. Remove it on the device too.</p>
      </Act>
    </li>
  );
}

function Pin({ factors, onChanged }: Props) {
  const { has_pin, change_takes } = factors;
  return (
    <section className="card account-part" aria-labelledby="own-pin">
      <h2 id="own-pin">PIN</h2>
      <p className="app-quiet">{has_pin ? 'You have a PIN.' : 'None yet.'}</p>
      <div className="account-actions">
        <NewFactor kind="pin" verb={has_pin ? 'Change PIN' : 'Set a PIN'} takes={change_takes} onDone={onChanged} />
        {has_pin && (
          <Act
            label="Remove PIN"
            title="Remove your PIN?"
            verb="Remove"
            destroys
            isApart
            run={removePin}
            done="Your PIN was removed."
            onDone={onChanged}
          >
            <p>You can then no longer take over a browser that colleagues share.</p>
          </Act>
        )}
      </div>
    </section>
  );
}
