import { useId, useState } from 'react';
import { DeskPeople } from '#shared/contracts/staff/proof';
import type { SwitchBody } from '#shared/contracts/staff/proof-request';
import { PIN_DIGITS } from '#shared/pin-rule';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { useLoad } from '#site/islands/merchant/common/use-load.tsx';
import { PinField } from '#site/islands/merchant/login/CodeLogin.tsx';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { readEmptyBody } from '#site/islands/ui/api/read-nothing.ts';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { openDialog } from '#site/islands/ui/feedback/open-dialog.tsx';
import '#site/styles/parts/form/choices.css';

const readPeople = readWith(DeskPeople, ({ people }) => people.filter(({ is_you }) => !is_you));
const switchTo = (body: SwitchBody) => api.call('/api/session/switch', readEmptyBody, sendJson('POST', body));

/** Opens the dialog in which a colleague logs in on this browser with their PIN. The page then reloads for them. */
export const openSwitchPerson = () => openDialog<void>((close) => <SwitchPerson onCancel={close} />);

function SwitchPerson({ onCancel }: { onCancel(): void }) {
  const name = useId();
  const load = useLoad('desk', 'Failed to fetch who works here', () => api.call('/api/session/people', readPeople));
  const [chosenId, setChosenId] = useState<number | null>(null);
  const [pin, setPin] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const people = load.value;
  const [first] = people ?? [];
  const id = chosenId ?? (people?.length === 1 ? first?.id : undefined);

  const confirm = async () => {
    if (people?.length === 0) return onCancel();
    if (id === undefined) return setFailure('Please choose who you are.');
    if (pin.length !== PIN_DIGITS) return setFailure(`Please enter the ${PIN_DIGITS} digits of your PIN.`);
    setBusy(true);
    setFailure(null);
    const answer = await switchTo({ id, pin });
    if (answer.ok) {
      // The next person must not see the previous person's input.
      sessionStorage.clear();
      return window.location.reload();
    }
    setBusy(false);
    setPin('');
    setFailure(answer.error.message);
  };
  return (
    <Dialog
      title="Who is working here now?"
      confirmLabel={people?.length === 0 ? 'Okay' : 'Switch'}
      busy={isBusy || (load.isLoading && !people)}
      failure={failure ?? load.failure?.message ?? null}
      onConfirm={() => void confirm()}
      onCancel={onCancel}
    >
      {!people && !load.failure && <p role="status">Loading...</p>}
      {people?.length === 0 && <p>No colleague has a PIN yet. Each person sets their own under Account, User Info.</p>}
      {people && people.length > 0 && (
        <>
          <fieldset className="choices">
            <legend className="label">Person</legend>
            {people.map((person) => (
              <label key={person.id}>
                <input
                  type="radio"
                  name={name}
                  checked={person.id === id}
                  onChange={() => {
                    setChosenId(person.id);
                    setFailure(null);
                  }}
                />
                {person.name}
              </label>
            ))}
          </fieldset>
          <PinField label="PIN" value={pin} onChange={setPin} onEnter={() => void confirm()} />
        </>
      )}
    </Dialog>
  );
}
