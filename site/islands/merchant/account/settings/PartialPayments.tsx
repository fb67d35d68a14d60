import { useState } from 'react';
import type { PartsSetting } from '#shared/contracts/payments/installments';
import { partners } from '#shared/partners';
import { RequireRight } from '#site/islands/merchant/common/RequireRight.tsx';
import { LoadFailure, type LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { saveSetting } from '#site/islands/merchant/installments/OpenParts.tsx';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';

/** The setting that allows partial payments of the account's invoices. */
export function PartialPaymentsSetting({ load }: { load: LoadState<PartsSetting> }) {
  const [updated, setUpdated] = useState<PartsSetting | null>(null);
  const view = updated ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="partial-payments">
      <h2 id="partial-payments">Partial payments</h2>
      <LoadFailure lead="The setting for partial payments could not be loaded." load={load} />
      {view && <Switch isOn={view.is_on} onChanged={setUpdated} />}
    </section>
  );
}

function Switch({ isOn, onChanged }: { isOn: boolean; onChanged(setting: PartsSetting): void }) {
  const actionLabel = isOn ? 'Stop allowing partial payments' : 'Allow partial payments';
  return (
    <>
      <p>
        <Badge tone={isOn ? 'ok' : 'plain'} icon={isOn ? 'check' : 'minus'}>
          {isOn ? 'On' : 'Off'}
        </Badge>
      </p>
      <p>
        If this is on, you can allow a deposit or several payments for an invoice, on its page. Each payment is made by
        card and has its own receipt. The amount is fixed when you allow it: if it changes in {partners.crm} later, no
        more payments are taken until someone on your team confirms what is owed.
      </p>
      <RequireRight right="configure" action="change this">
        <div className="account-actions">
          <ConfirmedAction
            isFullSize
            label={actionLabel}
            title={`${actionLabel}?`}
            confirmLabel={actionLabel}
            runAction={() => saveSetting(!isOn)}
            successText={isOn ? 'Partial payments are off.' : 'Partial payments are on.'}
            onDone={onChanged}
          >
            <p>
              {isOn
                ? 'Invoices that allow partial payments keep allowing them until they are paid or you end it there.'
                : 'Nothing changes until a manager allows partial payments on an invoice.'}
            </p>
          </ConfirmedAction>
        </div>
      </RequireRight>
    </>
  );
}
