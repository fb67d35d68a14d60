import { useState } from 'react';
import type { PartsSetting } from '#shared/contracts/payments/parts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { fetchSetting, saveSetting } from '../in-parts/OpenParts.tsx';
import { ForRight } from '../parts/ForRight.tsx';
import { LoadFailure, useLoad } from '../parts/use-load.tsx';
import { AccountFrame } from './AccountFrame.tsx';

/** Switches payment in parts for the account's invoices. */
export const PaymentInParts = () => (
  <AccountFrame title="Payment in parts" right="oversee">
    <Loaded />
  </AccountFrame>
);

function Loaded() {
  const load = useLoad('parts', 'Failed to fetch whether invoices are paid in parts', fetchSetting);
  const [fresh, setFresh] = useState<PartsSetting | null>(null);
  const view = fresh ?? load.value;
  return (
    <>
      <p>Deposits and parts, where you open an invoice for them. Each part is paid by card and has its own receipt.</p>
      <LoadFailure lead="The setting could not be loaded." load={load} />
      {!view && !load.failure && (
        <p role="status" className="app-quiet">
          Loading...
        </p>
      )}
      {view && <Switch isOn={view.is_on} onChanged={setFresh} />}
    </>
  );
}

function Switch({ isOn, onChanged }: { isOn: boolean; onChanged(now: PartsSetting): void }) {
  const verb = isOn ? 'Open no more invoices' : 'Let invoices be opened';
  return (
    <section className="card account-part" aria-labelledby="parts-switch">
      <h2 id="parts-switch">Invoices in parts</h2>
      <p>
        <Badge tone={isOn ? 'ok' : 'plain'} icon={isOn ? 'check' : 'minus'}>
          {isOn ? 'On' : 'Off'}
        </Badge>
      </p>
      <p>
        What an invoice comes to is fixed when it is opened. If its amount in HubSpot changes later, nothing more is
        taken until somebody of you says what is owed.
      </p>
      <ForRight right="configure" act="change this">
        <div className="account-actions">
          <Act
            isApart
            label={verb}
            title={isOn ? 'Open no more invoices for parts?' : 'Let invoices be opened for parts?'}
            verb={verb}
            run={() => saveSetting(!isOn)}
            done={isOn ? 'No more invoices are opened for parts.' : 'Invoices can be opened for parts now.'}
            onDone={onChanged}
          >
            <p>
              {isOn
                ? 'Invoices that are open in parts stay so until they are paid or closed.'
                : 'Nothing changes until a manager opens an invoice for parts, on its own page.'}
            </p>
          </Act>
        </div>
      </ForRight>
    </section>
  );
}
