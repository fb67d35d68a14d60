import { useState } from 'react';
import { BillLinesSetting } from '#shared/contracts/bill-lines';
import type { BillLinesBody } from '#shared/contracts/bill-lines-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { Badge } from '#site/islands/ui/Badge.tsx';
import { Act } from '#site/islands/ui/feedback/Act.tsx';
import { api, sendJson } from '../api/api.ts';
import { ForRight } from '../parts/ForRight.tsx';
import { LoadFailure } from '../parts/LoadFailure.tsx';
import { type Loaded, useLoad } from '../parts/use-load.ts';
import { AccountFrame } from './AccountFrame.tsx';
import { fetchLanguage, PayerLanguage } from './PayerLanguage.tsx';

const PATH = '/api/bill-lines';
const read = readWith(BillLinesSetting);
const fetchSetting = () => api.call(PATH, read);
const saveSetting = (is_on: boolean) => api.call(PATH, read, sendJson<BillLinesBody>('PUT', { is_on }));

/** What payers see of their bill, and in which language. */
export function PayPageSettings() {
  const lines = useLoad('bill-lines', 'Failed to fetch what payers see', fetchSetting);
  const language = useLoad('payer-language', 'Failed to fetch the language of payers', fetchLanguage);
  return (
    <AccountFrame title="Pay page" right="oversee">
      <Lines load={lines} />
      {/* Below what is there already, or it would move when that comes. */}
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
      {setting && <Choice isOn={setting.is_on} onChanged={setFresh} />}
    </section>
  );
}

function Choice({ isOn, onChanged }: { isOn: boolean; onChanged(setting: BillLinesSetting): void }) {
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
            run={() => saveSetting(!isOn)}
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
