import { useState } from 'react';
import type { CustomerData as Summary } from '#shared/contracts/staff/customer-data';
import { partners } from '#shared/partners';
import { formatCount } from '#shared/text/format-count';
import { saveFile } from '#site/islands/ui/api/save-file.ts';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field, FieldError } from '#site/islands/ui/form/Field.tsx';
import { RequireRight } from '../common/RequireRight.tsx';
import { LoadFailure, useLoad } from '../common/use-load.tsx';
import { eraseCustomerData, exportCustomerData, fetchCustomerData } from './fetch-customer.ts';

type Props = { id: string; name: string; email: string };

/** Exports and erases the data stored about a customer, which is found by the email address. */
export function CustomerData({ id, name, email }: Props) {
  return (
    <section aria-labelledby="customer-data">
      <div className="customer-part">
        <h2 id="customer-data">Stored data</h2>
      </div>
      <RequireRight right="administer" action="export or erase a person’s data">
        {email ? (
          <DataActions id={id} name={name} email={email} />
        ) : (
          <p className="customer-none">
            Stored data are found by the email address, and {partners.crm} has none of this customer.
          </p>
        )}
      </RequireRight>
    </section>
  );
}

function DataActions({ id, name, email }: Props) {
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const exportData = async () => {
    setBusy(true);
    setFailure(undefined);
    const answer = await exportCustomerData(id);
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    const text = `${JSON.stringify(answer.value, null, 2)}\n`;
    saveFile(new Blob([text], { type: 'application/json' }), `customer-${id}-data.json`);
    toast('The data are in the downloaded file.');
  };
  return (
    <>
      <p className="customer-none">For a person who asks what is stored about them, or to have it erased.</p>
      <FieldError id="customer-data-error" text={failure} />
      <div className="customer-data-actions">
        <Button busy={isBusy} onClick={() => void exportData()}>
          Export this person’s data
        </Button>
        <ConfirmedAction
          label="Erase this person’s data"
          title={`Erase the data of ${name}?`}
          confirmLabel="Erase"
          isDestructive
          isFullSize
          runAction={() => eraseCustomerData(id, { email: typed })}
          successText={({ erased }) =>
            `Erased: ${formatCount(
              erased.reduce((sum, place) => sum + place.erased, 0),
              'record',
            )}.`
          }
          onDone={() => setTyped('')}
        >
          <ErasurePreview id={id} />
          <Field
            id="customer-data-email"
            label={`Type “${email}”`}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </ConfirmedAction>
      </div>
    </>
  );
}

/** Lists the data that an erasure removes, and the data that stays with the reasons. */
function ErasurePreview({ id }: { id: string }) {
  const load = useLoad(id, 'the stored data', () => fetchCustomerData(id));
  const places = load.value?.places ?? [];
  return (
    <div className="customer-data" aria-busy={load.isLoading || undefined}>
      <LoadFailure lead="The stored data could not be loaded." load={load} />
      {load.isLoading && !load.value && <p role="status">Loading...</p>}
      {load.value && (
        <>
          <Places
            title="Is erased for good"
            places={places.filter(({ erasable }) => erasable > 0)}
            lineOf={({ label, erasable }) => `${label}: ${erasable}`}
            empty="Nothing can be erased now."
          />
          <Places
            title="Stays"
            places={places.filter(({ rows, erasable }) => rows > erasable)}
            lineOf={({ label, rows, erasable, stays }) => `${label}: ${rows - erasable}, ${stays}.`}
            empty="Nothing."
          />
          <p>
            This also covers other customers with the same email address. {partners.crm} keeps its own record: delete it
            there too, and the copy here goes within 30 days.
          </p>
        </>
      )}
    </div>
  );
}

type Place = Summary['places'][number];
type PlacesProps = { title: string; places: Place[]; lineOf(place: Place): string; empty: string };

function Places({ title, places, lineOf, empty }: PlacesProps) {
  return (
    <div>
      <h3>{title}</h3>
      {places.length === 0 ? (
        <p>{empty}</p>
      ) : (
        <ul>
          {places.map((place) => (
            <li key={place.label}>{lineOf(place)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
