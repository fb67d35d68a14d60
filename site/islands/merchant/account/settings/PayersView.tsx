import { useState } from 'react';
import type { PayerLanguageBody } from '#shared/contracts/payments/payment-request';
import { type BillLinesBody, BillLinesSetting, PayerLanguageSetting } from '#shared/contracts/staff/account-settings';
import { partners } from '#shared/partners';
import type { Language } from '#shared/words/language';
import { api, sendJson } from '#site/islands/merchant/api/api.ts';
import { ForRight } from '#site/islands/merchant/parts/ForRight.tsx';
import { type Loaded, LoadFailure } from '#site/islands/merchant/parts/use-load.tsx';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Act } from '#site/islands/ui/feedback/Act.tsx';

const LANGUAGE_PATH = '/api/payer-language';
const readLanguage = readWith(PayerLanguageSetting);
export const fetchLanguage = () => api.call(LANGUAGE_PATH, readLanguage);
const saveLanguage = (language: Language) =>
  api.call(LANGUAGE_PATH, readLanguage, sendJson<PayerLanguageBody>('PUT', { language }));

/** For staff, whose app is in English. */
const names = { en: 'English', es: 'Spanish' } as const satisfies Record<Language, string>;

/** The language for payers whose browser states none. */
export function PayerLanguage({ load }: { load: Loaded<PayerLanguageSetting> }) {
  const [fresh, setFresh] = useState<PayerLanguageSetting | null>(null);
  const setting = fresh ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="payer-language">
      <h2 id="payer-language">Language of payers</h2>
      <LoadFailure lead="The language of payers could not be loaded." load={load} />
      {setting && <LanguageChoice language={setting.language} onChanged={setFresh} />}
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
        Pay pages and receipts use the language that the payer chooses there, or else that of their browser. Emails use
        the language that {partners.crm} has for the contact, or else the one in which they paid. If none of these is
        known, the language set here is used. English and Spanish are available.
      </p>
      <ForRight right="configure" act="change this">
        <div className="account-actions">
          <Act
            isApart
            label={`Use ${names[other]}`}
            title={`Use ${names[other]} for payers?`}
            verb={`Use ${names[other]}`}
            run={() => saveLanguage(other)}
            done={`Payers whose language is not known now get ${names[other]}.`}
            onDone={onChanged}
          >
            <p>
              This applies to payers whose language is not known. Payers who chose a language, or whose browser states
              one, keep it.
            </p>
          </Act>
        </div>
      </ForRight>
    </>
  );
}

const LINES_PATH = '/api/bill-lines';
const readLines = readWith(BillLinesSetting);
export const fetchBillLines = () => api.call(LINES_PATH, readLines);
const saveLines = (is_on: boolean) => api.call(LINES_PATH, readLines, sendJson<BillLinesBody>('PUT', { is_on }));

/** The setting that shows payers the items of their bill. */
export function BillLines({ load }: { load: Loaded<BillLinesSetting> }) {
  const [fresh, setFresh] = useState<BillLinesSetting | null>(null);
  const setting = fresh ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="bill-lines">
      <h2 id="bill-lines">Items on pay pages and receipts</h2>
      <LoadFailure lead="What payers see could not be loaded." load={load} />
      {setting && <LinesChoice isOn={setting.is_on} onChanged={setFresh} />}
    </section>
  );
}

function LinesChoice({ isOn, onChanged }: { isOn: boolean; onChanged(setting: BillLinesSetting): void }) {
  return (
    <>
      <p>
        <Badge tone={isOn ? 'ok' : 'plain'} icon={isOn ? 'check' : 'minus'}>
          {isOn ? 'Shown' : 'Not shown'}
        </Badge>
      </p>
      <p>
        If this is on, payers see the items of their invoice on the pay page, on the receipt and in its email. Items may
        reveal treatments to anyone who has the link or can read the mailbox.
      </p>
      <ForRight right="configure" act="change this">
        <div className="account-actions">
          <Act
            isApart
            label={isOn ? 'Hide the items' : 'Show the items'}
            title={isOn ? 'Hide the items from payers?' : 'Show payers the items of their bill?'}
            verb={isOn ? 'Hide the items' : 'Show the items'}
            run={() => saveLines(!isOn)}
            done={isOn ? 'Payers no longer see the items.' : 'Payers see the items from now on.'}
            onDone={onChanged}
          >
            <p>
              {isOn
                ? 'The items disappear from pay pages and receipts at once. Emails already sent still show them.'
                : 'The items appear on every open pay page, and on receipts of payments from now on.'}
            </p>
          </Act>
        </div>
      </ForRight>
    </>
  );
}
