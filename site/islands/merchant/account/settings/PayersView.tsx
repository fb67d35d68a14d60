import { useState } from 'react';
import type { PayerLanguageBody } from '#shared/contracts/payments/payment-request';
import { PayerLanguageSetting, type SwitchBody, SwitchSetting } from '#shared/contracts/staff/account-settings';
import { partners } from '#shared/partners';
import type { Language } from '#shared/words/language';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { RequireRight } from '#site/islands/merchant/parts/RequireRight.tsx';
import { LoadFailure, type LoadState } from '#site/islands/merchant/parts/use-load.tsx';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';

const LANGUAGE_PATH = '/api/payer-language';
const readLanguage = readWith(PayerLanguageSetting);
export const fetchLanguage = () => api.call(LANGUAGE_PATH, readLanguage);
const saveLanguage = (language: Language) =>
  api.call(LANGUAGE_PATH, readLanguage, sendJson<PayerLanguageBody>('PUT', { language }));

/** Names in English, the language of the staff's app. */
const names = { en: 'English', es: 'Spanish' } as const satisfies Record<Language, string>;

/** Setting for the language of payers whose browser does not state one. */
export function PayerLanguage({ load }: { load: LoadState<PayerLanguageSetting> }) {
  const [updated, setUpdated] = useState<PayerLanguageSetting | null>(null);
  const setting = updated ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="payer-language">
      <h2 id="payer-language">Language of payers</h2>
      <LoadFailure lead="The language of payers could not be loaded." load={load} />
      {setting && <LanguageChoice language={setting.language} onChanged={setUpdated} />}
    </section>
  );
}

function LanguageChoice({
  language,
  onChanged,
}: {
  language: Language;
  onChanged(setting: PayerLanguageSetting): void;
}) {
  const other = language === 'en' ? 'es' : 'en';
  return (
    <>
      <p>
        <Badge tone="ok" icon="check">
          {names[language]}
        </Badge>
      </p>
      <p>
        Payment pages and receipts use the language that the payer chooses there, or else that of their browser. Emails
        use the language that {partners.crm} has for the contact, or else the one in which they paid. If none of these
        is known, the language set here is used. English and Spanish are available.
      </p>
      <RequireRight right="configure" action="change this">
        <div className="account-actions">
          <ConfirmedAction
            isFullSize
            label={`Use ${names[other]}`}
            title={`Use ${names[other]} for payers?`}
            verb={`Use ${names[other]}`}
            run={() => saveLanguage(other)}
            successText={`Payers whose language is not known now get ${names[other]}.`}
            onDone={onChanged}
          >
            <p>
              This applies to payers whose language is not known. Payers who chose a language, or whose browser states
              one, keep it.
            </p>
          </ConfirmedAction>
        </div>
      </RequireRight>
    </>
  );
}

const readSwitch = readWith(SwitchSetting);

/** API calls of the on/off setting at this path. */
const switchCalls = (path: string) => ({
  fetch: () => api.call(path, readSwitch),
  save: (is_on: boolean) => api.call(path, readSwitch, sendJson<SwitchBody>('PUT', { is_on })),
});

const billLines = switchCalls('/api/bill-lines');
const bankPayments = switchCalls('/api/bank-payments');
export const fetchBillLines = billLines.fetch;
export const fetchBankPayments = bankPayments.fetch;

type SwitchProps = { load: LoadState<SwitchSetting> };

/** The setting that shows payers the items of their bill. */
export const BillLines = ({ load }: SwitchProps) => (
  <SwitchSection
    id="bill-lines"
    heading="Items on payment pages and receipts"
    failureLead="What payers see could not be loaded."
    load={load}
    save={billLines.save}
    badges={['Shown', 'Not shown']}
    description="If this is on, payers see the items of their invoice on the payment page, on the receipt and in its email. Items may reveal treatments to anyone who has the link or can read the mailbox."
    switchOn={{
      label: 'Show the items',
      title: 'Show payers the items of their bill?',
      text: 'The items appear on every open payment page, and on receipts of payments from now on.',
      done: 'Payers see the items from now on.',
    }}
    switchOff={{
      label: 'Hide the items',
      title: 'Hide the items from payers?',
      text: 'The items disappear from payment pages and receipts at once. Emails already sent still show them.',
      done: 'Payers no longer see the items.',
    }}
  />
);

/** The setting that lets payers pay from a bank account. */
export const BankPayments = ({ load }: SwitchProps) => (
  <SwitchSection
    id="bank-payments"
    heading="Bank account"
    failureLead="Whether payers may pay from a bank account could not be loaded."
    load={load}
    save={bankPayments.save}
    badges={['Accepted', 'Not accepted']}
    description="If this is on, payers may pay from a bank account instead of by card. The bank confirms such a payment only after some days and may return it later. Your merchant account must support ACH."
    switchOn={{
      label: 'Accept bank accounts',
      title: 'Accept payments from bank accounts?',
      text: 'From now on, payment pages also offer payment from a bank account.',
      done: 'Payers may pay from a bank account.',
    }}
    switchOff={{
      label: 'Accept cards only',
      title: 'Accept cards only?',
      text: 'Payment pages no longer offer the bank account. Payments that are waiting for the bank are not affected.',
      done: 'Payers pay by card only.',
    }}
  />
);

type SwitchAction = { label: string; title: string; text: string; done: string };

type SwitchSectionProps = SwitchProps & {
  id: string;
  heading: string;
  failureLead: string;
  save: typeof billLines.save;
  /** Badge texts for on and off. */
  badges: [on: string, off: string];
  description: string;
  switchOn: SwitchAction;
  switchOff: SwitchAction;
};

function SwitchSection(props: SwitchSectionProps) {
  const { id, heading, failureLead, load, save, badges, description, switchOn, switchOff } = props;
  const [updated, setUpdated] = useState<SwitchSetting | null>(null);
  const setting = updated ?? load.value;
  const isOn = setting?.is_on === true;
  const action = isOn ? switchOff : switchOn;
  return (
    <section className="card account-part" aria-labelledby={id}>
      <h2 id={id}>{heading}</h2>
      <LoadFailure lead={failureLead} load={load} />
      {setting && (
        <>
          <p>
            <Badge tone={isOn ? 'ok' : 'plain'} icon={isOn ? 'check' : 'minus'}>
              {badges[isOn ? 0 : 1]}
            </Badge>
          </p>
          <p>{description}</p>
          <RequireRight right="configure" action="change this">
            <div className="account-actions">
              <ConfirmedAction
                isFullSize
                label={action.label}
                title={action.title}
                verb={action.label}
                run={() => save(!isOn)}
                successText={action.done}
                onDone={setUpdated}
              >
                <p>{action.text}</p>
              </ConfirmedAction>
            </div>
          </RequireRight>
        </>
      )}
    </section>
  );
}
