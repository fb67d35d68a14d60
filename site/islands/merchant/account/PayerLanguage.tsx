import { useState } from 'react';
import { PayerLanguageSetting } from '#shared/contracts/payer-language';
import type { PayerLanguageBody } from '#shared/contracts/payer-language-request';
import { partners } from '#shared/partners';
import type { Language } from '#shared/words/language';
import { unreadLanguages } from '#shared/words/unread-languages';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { api, sendJson } from '../api/api.ts';
import { ForRight } from '../parts/ForRight.tsx';
import { LoadFailure } from '../parts/LoadFailure.tsx';
import type { Loaded } from '../parts/use-load.ts';

const PATH = '/api/payer-language';
const read = readWith(PayerLanguageSetting);
export const fetchLanguage = () => api.call(PATH, read);
const saveSetting = (language: Language) => api.call(PATH, read, sendJson<PayerLanguageBody>('PUT', { language }));

/** As staff, whose app is in English, read them. */
const names = { en: 'English', es: 'Spanish' } as const satisfies Record<Language, string>;

/** In which language payers are addressed who tell none themselves. */
export function PayerLanguage({ load }: { load: Loaded<PayerLanguageSetting> }) {
  const [fresh, setFresh] = useState<PayerLanguageSetting | null>(null);
  const setting = fresh ?? load.value;
  return (
    <section className="card account-part" aria-labelledby="payer-language" aria-busy={!setting && !load.failure}>
      <h2 id="payer-language">Language</h2>
      <LoadFailure lead="The language of payers could not be loaded." load={load} />
      {setting && <Choice language={setting.language} onChanged={setFresh} />}
    </section>
  );
}

function Choice({ language, onChanged }: { language: Language; onChanged(setting: PayerLanguageSetting): void }) {
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
            run={() => saveSetting(other)}
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
