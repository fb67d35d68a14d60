import { partners } from '#shared/partners';
import { areSettled, useLoad } from '#site/islands/merchant/common/use-load.tsx';
import { fetchSetting } from '#site/islands/merchant/installments/OpenParts.tsx';
import { getFooterText } from '#site/islands/merchant/preview/api.ts';
import { fetchReminders } from '#site/islands/merchant/reminders/reminder-schedule.ts';
import { AccountFrame, Columns, LoadingText, useSectionAtHash } from '../AccountFrame.tsx';
import { fetchWriteBack } from '../api.ts';
import { FooterSetting } from './Footer.tsx';
import { PartialPaymentsSetting } from './PartialPayments.tsx';
import {
  ApplePay,
  BankPayments,
  BillLines,
  fetchApplePay,
  fetchBankPayments,
  fetchBillLines,
  fetchGooglePay,
  fetchLanguage,
  GooglePay,
  PayerLanguage,
} from './PayersView.tsx';
import { CrmRecording } from './Recording.tsx';
import { ReminderSettings } from './ReminderSettings.tsx';

/** The sections of the page, each with the id of its heading and the text of its link. */
const sections = [
  ['bank-payments', 'Bank account'],
  ['apple-pay', 'Apple Pay'],
  ['google-pay', 'Google Pay'],
  ['bill-lines', 'Items'],
  ['payer-language', 'Language'],
  ['footer', 'Footer text'],
  ['partial-payments', 'Partial payments'],
  ['reminders', 'Reminders'],
  ['recording', partners.crm],
] as const;

/** The page with all payment settings of the account. */
export const PaymentsSettings = () => (
  <AccountFrame title="Payments settings" right="oversee">
    <Sections />
  </AccountFrame>
);

function Sections() {
  const bank = useLoad('bank-payments', 'Failed to fetch if bank accounts are accepted', fetchBankPayments);
  const apple = useLoad('apple-pay', 'Failed to fetch if Apple Pay is accepted', fetchApplePay);
  const google = useLoad('google-pay', 'Failed to fetch if Google Pay is accepted', fetchGooglePay);
  const lines = useLoad('bill-lines', 'Failed to fetch if payers see items', fetchBillLines);
  const language = useLoad('payer-language', 'Failed to fetch the language of payers', fetchLanguage);
  const footer = useLoad('footer', 'Failed to fetch the footer text', getFooterText);
  const parts = useLoad('parts', 'Failed to fetch the setting for partial payments', fetchSetting);
  const reminders = useLoad('reminders', 'Failed to fetch the reminders', fetchReminders);
  const recording = useLoad('write-back', `Failed to fetch payments missing in ${partners.crm}`, () =>
    fetchWriteBack(),
  );
  // All sections appear at the same time, so that a section that loads late does not move the others.
  const isReady = areSettled(bank, apple, google, lines, language, footer, parts, reminders, recording);
  useSectionAtHash(isReady);
  if (!isReady) return <LoadingText />;
  return (
    <>
      <nav className="account-sections" aria-label="On this page">
        <ul>
          {sections.map(([id, name]) => (
            <li key={id}>
              <a href={`#${id}`}>{name}</a>
            </li>
          ))}
        </ul>
      </nav>
      <Columns
        first={
          <>
            <BankPayments load={bank} />
            <ApplePay load={apple} />
            <GooglePay load={google} />
            <BillLines load={lines} />
            <PayerLanguage load={language} />
            <FooterSetting load={footer} />
          </>
        }
        second={
          <>
            <PartialPaymentsSetting load={parts} />
            <ReminderSettings load={reminders} />
            <CrmRecording load={recording} />
          </>
        }
      />
    </>
  );
}
