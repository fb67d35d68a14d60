import { useState } from 'react';
import {
  type DecidePartsBody,
  InvoiceParts,
  type OpenPartsBody,
  PartsSetting,
  type PartsSettingBody,
  type PartVerdict,
} from '#shared/contracts/payments/installments';
import { ONLINE_CURRENCY } from '#shared/money';
import { partners } from '#shared/partners';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { api, sendJson } from '../api/api.ts';
import { moneyOf } from '../common/amount.ts';

const readSetting = readWith(PartsSetting);
const readParts = readWith(InvoiceParts);
const SETTING_PATH = '/api/parts';
const partsPath = (id: string) => `/api/invoices/${encodeURIComponent(id)}/parts`;

export const fetchSetting = () => api.call(SETTING_PATH, readSetting);
export const saveSetting = (is_on: boolean) =>
  api.call(SETTING_PATH, readSetting, sendJson<PartsSettingBody>('PUT', { is_on }));

export const fetchParts = (id: string) => api.call(partsPath(id), readParts);
export const allowParts = (id: string, terms: OpenPartsBody) =>
  api.call(partsPath(id), readParts, sendJson<OpenPartsBody>('PUT', terms));
export const stopParts = (id: string) => api.call(partsPath(id), readParts, { method: 'DELETE' });
export const decideParts = (id: string, verdict: PartVerdict, owed: string) =>
  api.call(`${partsPath(id)}/decision`, readParts, sendJson<DecidePartsBody>('POST', { verdict, owed }));

const cleanAmount = (text: string): string | null => text.trim().replace(/^\$/, '') || null;

/** Parses a typed deposit. "25%" is a share, other text is an amount, and '' means no deposit. */
export function parseDeposit(text: string): OpenPartsBody['deposit'] {
  const amount = cleanAmount(text);
  const share = amount && /^(\d{1,2})\s*%$/.exec(amount);
  return share ? { percent: Number(share[1]) } : amount === null ? null : { amount };
}

type Props = {
  id: string;
  /** The CRM's setting for this invoice, or null if it has none. */
  crmAllows: boolean | null;
  onOpened(): void;
};

/**
 * Lets staff allow partial payments of an invoice, with an optional minimum and deposit. The CRM's own setting is only
 * shown.
 */
export function AllowPartsForm({ id, crmAllows, onOpened }: Props) {
  const [minimum, setMinimum] = useState('');
  const [deposit, setDeposit] = useState('');
  return (
    <div className="account-actions">
      {crmAllows !== null && (
        <p className="app-quiet">
          {crmAllows
            ? `${partners.crm} allows partial payments of this invoice.`
            : `${partners.crm} does not allow partial payments of this invoice, and may refuse to record them.`}
        </p>
      )}
      <ConfirmedAction
        label={crmAllows === false ? 'Allow them here anyway' : 'Allow partial payments'}
        title="Allow partial payments of this invoice?"
        confirmLabel="Allow partial payments"
        runAction={() => allowParts(id, { least: cleanAmount(minimum), deposit: parseDeposit(deposit) })}
        successText="Partial payments are allowed."
        onDone={onOpened}
      >
        <p>
          The payments add up to what is owed now. If the amount in {partners.crm} changes later, we ask you what is
          owed.
        </p>
        <Field
          id="parts-least"
          label="Smallest payment"
          optional="(optional)"
          hint="If you leave it empty: $10 or a tenth of the invoice, whichever is more."
          inputMode="decimal"
          autoComplete="off"
          value={minimum}
          onChange={({ target }) => setMinimum(target.value)}
        />
        <Field
          id="parts-deposit"
          label="Deposit"
          optional="(optional)"
          hint="An amount, or a share such as 25%. The payment page offers it as the first payment."
          inputMode="text"
          autoComplete="off"
          value={deposit}
          onChange={({ target }) => setDeposit(target.value)}
        />
      </ConfirmedAction>
    </div>
  );
}

/** Formats an amount in dollars. Invoices in other currencies cannot be paid in parts. */
export const formatDollars = (amount: string): string => moneyOf(amount, ONLINE_CURRENCY);
