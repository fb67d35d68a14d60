import type { OwnFactors as Factors, OwnPasskey } from '#shared/contracts/staff/proof';
import { LoadFailure, type LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { formatDay, formatWhen } from '#site/islands/ui/format-moment.ts';
import { RemovePasskey } from '#site/islands/ui/passkey/RemovePasskey.tsx';
import { removePasskey, removePin } from '../api.ts';
import { NewFactor } from './NewFactor.tsx';

/** The user's passkeys and PIN, which are used for logins, refunds and shared browsers. */
export function LoginFactors({ load }: { load: LoadState<Factors> }) {
  const { value: factors, reload } = load;
  return (
    <section className="card account-part" aria-labelledby="passkeys-and-pin">
      <h2 id="passkeys-and-pin">Passkeys and PIN</h2>
      <p>
        Refunds, voids, and changes to the footer text or the team ask you to confirm your identity if you last did so
        more than 15 minutes ago. A passkey also logs you in. With a PIN you take over a browser that colleagues share.
      </p>
      <LoadFailure lead="Your passkeys could not be loaded." load={load} />
      {factors && <Passkeys factors={factors} onChanged={reload} />}
      {factors && <PinSection factors={factors} onChanged={reload} />}
    </section>
  );
}

type Props = { factors: Factors; onChanged(): void };

function Passkeys({ factors, onChanged }: Props) {
  return (
    <section className="account-inner" aria-labelledby="passkeys">
      <h3 id="passkeys">Passkeys</h3>
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
        <NewFactor kind="passkey" actionLabel="Add a passkey" requirement={factors.change_takes} onDone={onChanged} />
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
      <RemovePasskey label={label} run={() => removePasskey(id)} onDone={onChanged} />
    </li>
  );
}

function PinSection({ factors, onChanged }: Props) {
  const { has_pin, change_takes } = factors;
  return (
    <section className="account-inner" aria-labelledby="own-pin">
      <h3 id="own-pin">PIN</h3>
      <p className="app-quiet">{has_pin ? 'You have a PIN.' : 'None yet.'}</p>
      <div className="account-actions">
        <NewFactor
          kind="pin"
          actionLabel={has_pin ? 'Change PIN' : 'Set a PIN'}
          requirement={change_takes}
          onDone={onChanged}
        />
        {has_pin && (
          <ConfirmedAction
            label="Remove PIN"
            title="Remove your PIN?"
            confirmLabel="Remove"
            isDestructive
            isFullSize
            runAction={removePin}
            successText="Your PIN was removed."
            onDone={onChanged}
          >
            <p>You can then no longer take over a shared browser.</p>
          </ConfirmedAction>
        )}
      </div>
    </section>
  );
}
