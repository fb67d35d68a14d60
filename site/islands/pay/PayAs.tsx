import { FieldError } from '../ui/form/FieldError.tsx';
import type { PayPageFill } from './pay-view.ts';

export const BILLING_ADDRESS = 'Billing address';
const WORDS = {
  payAs: 'You pay as',
  theOne: 'Billing address: the one',
  onFile: 'has on file',
  tick: 'This is my card’s billing address',
  untold: 'Tick this if it is your card’s billing address, or press Change',
  change: 'Change',
};
export const ON_FILE_ID = 'pay-onFile';

type Props = { texts: PayPageFill; isUntold: boolean; readOnly: boolean; onTick(): void; onChange(): void };

/** A payer whose address the business has: it is used once they say that it is their card's, and never shown. */
export function PayAs({ texts, isUntold, readOnly, onTick, onChange }: Props) {
  return (
    <section className="pay-as" data-row="payAs" aria-labelledby="pay-as-name">
      <div>
        <p id="pay-as-name">
          {WORDS.payAs} <b data-fill="payAs">{texts.payAs}</b>
        </p>
        <p className="pay-quiet">
          {WORDS.theOne} <span data-fill="business">{texts.business}</span> {WORDS.onFile}
        </p>
      </div>
      <button type="button" className="text-button" disabled={readOnly} onClick={onChange}>
        {WORDS.change}
      </button>
      <label className="pay-tick">
        <input
          type="checkbox"
          id={ON_FILE_ID}
          disabled={readOnly}
          aria-invalid={isUntold || undefined}
          aria-describedby={isUntold ? `${ON_FILE_ID}-error` : undefined}
          onChange={onTick}
        />
        {WORDS.tick}
      </label>
      <FieldError id={`${ON_FILE_ID}-error`} text={isUntold ? WORDS.untold : undefined} />
    </section>
  );
}
