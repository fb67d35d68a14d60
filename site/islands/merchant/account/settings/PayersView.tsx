import { type ReactNode, useState } from 'react';
import type { PayerLanguageBody } from '#shared/contracts/payments/payment-request';
import {
  ApplePaySetting,
  payerLanguageNames as names,
  PayerLanguageSetting,
  payerLanguages,
  type SwitchBody,
  SwitchSetting,
} from '#shared/contracts/staff/account-settings';
import { partners } from '#shared/partners';
import { formatList } from '#shared/text/format-list';
import type { Language } from '#shared/words/language';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { RequireRight } from '#site/islands/merchant/common/RequireRight.tsx';
import { LoadFailure, type LoadState } from '#site/islands/merchant/common/use-load.tsx';
import { type Answer, type Reader, readWith } from '#site/islands/ui/api/parse-response.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { ConfirmedAction } from '#site/islands/ui/feedback/ConfirmedAction.tsx';

const LANGUAGE_PATH = '/api/payer-language';
const readLanguage = readWith(PayerLanguageSetting);
export const fetchLanguage = () => api.call(LANGUAGE_PATH, readLanguage);
const saveLanguage = (language: Language) =>
  api.call(LANGUAGE_PATH, readLanguage, sendJson<PayerLanguageBody>('PUT', { language }));

/** The setting for the language of payers whose own language is not known. */
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
        is known, the language set here is used. {formatList(Object.values(names))} are available.
      </p>
      <RequireRight right="configure" action="change this">
        <div className="account-actions">
          {payerLanguages
            .filter((other) => other !== language)
            .map((other, index) => (
              <ConfirmedAction
                // biome-ignore lint/suspicious/noArrayIndexKey: the button keeps the focus when its language changes
                key={index}
                isFullSize
                label={`Use ${names[other]}`}
                title={`Use ${names[other]} for payers?`}
                confirmLabel={`Use ${names[other]}`}
                runAction={() => saveLanguage(other)}
                successText={`Payers whose language is not known now get ${names[other]}.`}
                onDone={onChanged}
              >
                <p>
                  This applies to payers whose language is not known. Payers who chose a language, or whose browser
                  states one, keep it.
                </p>
              </ConfirmedAction>
            ))}
        </div>
      </RequireRight>
    </>
  );
}

const readSwitch = readWith(SwitchSetting);

/** Creates the API calls for the on/off setting at this path. */
const createSwitchCalls = <Setting extends SwitchSetting>(path: string, read: Reader<Setting>) => ({
  fetch: () => api.call(path, read),
  save: (is_on: boolean) => api.call(path, read, sendJson<SwitchBody>('PUT', { is_on })),
});

const billLines = createSwitchCalls('/api/bill-lines', readSwitch);
const bankPayments = createSwitchCalls('/api/bank-payments', readSwitch);
const googlePay = createSwitchCalls('/api/google-pay', readSwitch);
const applePay = createSwitchCalls('/api/apple-pay', readWith(ApplePaySetting));
export const fetchBillLines = billLines.fetch;
export const fetchBankPayments = bankPayments.fetch;
export const fetchApplePay = applePay.fetch;
export const fetchGooglePay = googlePay.fetch;

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
      successText: 'Payers see the items from now on.',
    }}
    switchOff={{
      label: 'Hide the items',
      title: 'Hide the items from payers?',
      text: 'The items disappear from payment pages and receipts at once. Emails already sent still show them.',
      successText: 'Payers no longer see the items.',
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
      successText: 'Payers may pay from a bank account.',
    }}
    switchOff={{
      label: 'Accept cards only',
      title: 'Accept cards only?',
      text: 'Payment pages no longer offer the bank account. Payments that are waiting for the bank are not affected.',
      successText: 'Payers pay by card only.',
    }}
  />
);

/** The setting that lets payers pay with Apple Pay. */
export const ApplePay = ({ load }: { load: LoadState<ApplePaySetting> }) => (
  <SwitchSection
    id="apple-pay"
    heading="Apple Pay"
    failureLead="Whether payers may pay with Apple Pay could not be loaded."
    load={load}
    save={applePay.save}
    badges={['Accepted', 'Not accepted']}
    description="If this is on, payers with an Apple device may pay with a card from their wallet instead of typing it. The card provider first registers the domain of your payment pages with Apple."
    switchOn={{
      label: 'Accept Apple Pay',
      title: 'Accept Apple Pay?',
      text: 'Payment pages offer Apple Pay once the domain is registered, usually at once.',
      successText: 'Apple Pay is on.',
    }}
    switchOff={{
      label: 'Stop accepting Apple Pay',
      title: 'Stop accepting Apple Pay?',
      text: 'Payment pages no longer offer Apple Pay. Payments that were made with it are not affected.',
      successText: 'Payment pages no longer offer Apple Pay.',
    }}
  >
    {(setting) => setting.is_on && <DomainRegistration setting={setting} />}
  </SwitchSection>
);

/** The setting that lets payers pay with Google Pay. */
export const GooglePay = ({ load }: SwitchProps) => (
  <SwitchSection
    id="google-pay"
    heading="Google Pay"
    failureLead="Whether payers may pay with Google Pay could not be loaded."
    load={load}
    save={googlePay.save}
    badges={['Accepted', 'Not accepted']}
    description="If this is on, payers may pay with a card from their Google account instead of typing it. Your payment pages then load a script from Google. While it is off, they load none."
    switchOn={{
      label: 'Accept Google Pay',
      title: 'Accept Google Pay?',
      text: 'From now on, payment pages load Google’s script and offer Google Pay.',
      successText: 'Google Pay is on.',
    }}
    switchOff={{
      label: 'Stop accepting Google Pay',
      title: 'Stop accepting Google Pay?',
      text: 'Payment pages no longer offer Google Pay or load Google’s script. Payments that were made with it are not affected.',
      successText: 'Payment pages no longer offer Google Pay.',
    }}
  />
);

/** Shows whether the domain is registered. Payment pages offer Apple Pay only after that. */
function DomainRegistration({ setting: { host, is_registered, refusal } }: { setting: ApplePaySetting }) {
  if (is_registered)
    return (
      <p>
        <Badge tone="ok" icon="check">
          Registered
        </Badge>{' '}
        {host}
      </p>
    );
  return (
    <p>
      <Badge tone="warn" icon="clock">
        Not registered yet
      </Badge>{' '}
      Payment pages do not offer Apple Pay yet, because {host} is not registered
      {refusal && <> (the card provider’s answer: {refusal})</>}. We try again every hour.
    </p>
  );
}

type SwitchAction = { label: string; title: string; text: string; successText: string };

type SwitchSectionProps<Setting extends SwitchSetting> = {
  load: LoadState<Setting>;
  id: string;
  heading: string;
  failureLead: string;
  save(isOn: boolean): Promise<Answer<Setting>>;
  /** The texts of the badge if the setting is on, and if it is off. */
  badges: [on: string, off: string];
  description: string;
  switchOn: SwitchAction;
  switchOff: SwitchAction;
  /** Renders further content below the description. */
  children?: (setting: Setting) => ReactNode;
};

function SwitchSection<Setting extends SwitchSetting>(props: SwitchSectionProps<Setting>) {
  const { id, heading, failureLead, load, save, badges, description, switchOn, switchOff, children } = props;
  const [updated, setUpdated] = useState<Setting | null>(null);
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
          {children?.(setting)}
          <RequireRight right="configure" action="change this">
            <div className="account-actions">
              <ConfirmedAction
                isFullSize
                label={action.label}
                title={action.title}
                confirmLabel={action.label}
                runAction={() => save(!isOn)}
                successText={action.successText}
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
