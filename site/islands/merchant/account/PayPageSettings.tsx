import { useState } from 'react';
import type { PayerLanguageBody } from '#shared/contracts/payments/payment-request';
import { type BillLinesBody, BillLinesSetting, PayerLanguageSetting } from '#shared/contracts/staff/account-settings';
import { partners } from '#shared/partners';
import { unreadLanguages } from '#shared/text/staff-words';
import type { Language } from '#shared/words/language';
import { readWith } from '#site/islands/ui/api/parse-response.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { api, sendJson } from '../api/api.ts';
import { ForRight } from '../parts/ForRight.tsx';
import { type Loaded, LoadFailure, useLoad } from '../parts/use-load.tsx';
import { AccountFrame } from './AccountFrame.tsx';

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
    <section className="card account-part" aria-labelledby="payer-language" aria-busy={!setting && !load.failure}>
      <h2 id="payer-language">Language</h2>
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
        Pay pages and receipts come in the language that the payer chooses on them, else in that of their browser.
        Emails come in the language that {partners.crm} has for the contact, else in the one in which they paid. Where
        none of these is known, this one counts. Payers have English and Spanish.
      </p>
      {unreadLanguages.map((unread) => (
        <p key={unread}>
          <Badge tone="note" icon="warn">
            {names[unread]}: not yet read by a native speaker
          </Badge>
        </p>
      ))}
      <ForRight right="configure" act="change this">
        <div className="account-actions">
          <Act
            isApart
            label={`Use ${names[other]}`}
            title={`Address payers in ${names[other]}?`}
            verb={`Use ${names[other]}`}
            run={() => saveLanguage(other)}
            done={`Payers who tell no language are addressed in ${names[other]} from now on.`}
            onDone={onChanged}
          >
            <p>
              It counts for payers whose language is not known. Whoever has chosen one, or whose browser asks for one,
              keeps it.
            </p>
            {unreadLanguages.includes(other) && <p>No native speaker has read our {names[other]} yet.</p>}
          </Act>
        </div>
      </ForRight>
    </>
  );
}

const LINES_PATH = '/api/bill-lines';
const readLines = readWith(BillLinesSetting);
const fetchLines = () => api.call(LINES_PATH, readLines);
const saveLines = (is_on: boolean) => api.call(LINES_PATH, readLines, sendJson<BillLinesBody>('PUT', { is_on }));

/** Settings of the pay page: the bill's details, and the language. */
export function PayPageSettings() {
  const lines = useLoad('bill-lines', 'Failed to fetch what payers see', fetchLines);
  const language = useLoad('payer-language', 'Failed to fetch the language of payers', fetchLanguage);
  return (
    <AccountFrame title="Pay page" right="oversee">
      <Lines load={lines} />
      {/* Rendered below the first part only once that has loaded, or it would be moved by it. */}
      {(lines.value || lines.failure) && <PayerLanguage load={language} />}
    </AccountFrame>
  );
}

function Lines({ load }: { load: Loaded<BillLinesSetting> }) {
  const [fresh, setFresh] = useState<BillLinesSetting | null>(null);
  const setting = fresh ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="bill-lines" aria-busy={!setting && !load.failure}>
      <h2 id="bill-lines">What is on the bill</h2>
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
        Payers see the items of their invoice on the pay page, on the receipt and in its email. Items may tell of
        treatments, and whoever has the link or the mailbox reads them.
      </p>
      <ForRight right="configure" act="change this">
        <div className="account-actions">
          <Act
            isApart
            label={isOn ? 'Show no items' : 'Show the items'}
            title={isOn ? 'Show payers no items any more?' : 'Show payers the items of their bill?'}
            verb={isOn ? 'Show no items' : 'Show the items'}
            run={() => saveLines(!isOn)}
            done={isOn ? 'Payers see no items any more.' : 'Payers see the items from now on.'}
            onDone={onChanged}
          >
            <p>
              {isOn
                ? 'They leave the pay pages and all receipts at once. Emails that were sent keep them.'
                : 'They show on each open pay page, and on receipts of payments from now on.'}
            </p>
          </Act>
        </div>
      </ForRight>
    </>
  );
}
