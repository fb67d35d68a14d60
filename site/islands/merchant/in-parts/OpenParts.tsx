import { useState } from 'react';
import type { OpenPartsBody } from '#shared/contracts/parts-request';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { openParts } from './api.ts';

const typed = (text: string): string | null => text.trim().replace(/^\$/, '') || null;

/** "25%" is a share, all else an amount; empty: none. */
export function depositOf(text: string): OpenPartsBody['deposit'] {
  const amount = typed(text);
  const share = amount && /^(\d{1,2})\s*%$/.exec(amount);
  return share ? { percent: Number(share[1]) } : amount === null ? null : { amount };
}

type Props = {
  id: string;
  /** What HubSpot says of this invoice; null: nothing. */
  crmAllows: boolean | null;
  onOpened(): void;
};

/** Lets an invoice be paid in parts, with a smallest part and perhaps a deposit. */
export function OpenParts({ id, crmAllows, onOpened }: Props) {
  const [least, setLeast] = useState('');
  const [deposit, setDeposit] = useState('');
  return (
    <div className="account-actions">
      <Act
        label="Let it be paid in parts"
        title="Let this invoice be paid in parts?"
        verb="Let it be paid in parts"
        run={() => openParts(id, { least: typed(least), deposit: depositOf(deposit) })}
        done="The invoice can be paid in parts now."
        onDone={onOpened}
      >
        <p>What is owed now is what the parts come to. If the amount in HubSpot changes later, you are asked.</p>
        {crmAllows !== null && (
          <p className="app-quiet">
            {crmAllows
              ? 'In HubSpot this invoice allows partial payments.'
              : 'In HubSpot this invoice does not allow partial payments, so HubSpot may refuse the records of its parts.'}
          </p>
        )}
        <Field
          id="parts-least"
          label="Smallest part"
          optional="(optional)"
          hint="Empty: the larger of $10 and a tenth of the invoice."
          inputMode="decimal"
          autoComplete="off"
          value={least}
          onChange={({ target }) => setLeast(target.value)}
        />
        <Field
          id="parts-deposit"
          label="Deposit"
          optional="(optional)"
          hint="An amount, or a share such as 25%. The pay page offers it as the first part."
          inputMode="text"
          autoComplete="off"
          value={deposit}
          onChange={({ target }) => setDeposit(target.value)}
        />
      </Act>
    </div>
  );
}
