import { useState } from 'react';
import { OperatorDumps } from '#shared/contracts/operators/operator';
import { formatMoney, ONLINE_CURRENCY } from '#shared/money';
import { formatCount } from '#shared/text/format-count';
import { readWith } from '../ui/api/parse-response.ts';
import { Banner } from '../ui/feedback/Banner.tsx';
import { Select } from '../ui/form/Select.tsx';
import { formatMoment } from '../ui/format-moment.ts';
import { AppLink, useSearch } from '../ui/routing/router.tsx';
import { usePolledView } from './api.ts';
import { ClinicStates } from './ClinicStates.tsx';
import { Screen } from './Screen.tsx';
import '#site/styles/areas/operator/guide.css';

const readDumps = readWith(OperatorDumps);
const REFRESH_MS = 30_000;

/** Guides an operator through restoring the records of a clinic or of the installation from a nightly dump. */
export function RestoreScreen() {
  const clinic = new URLSearchParams(useSearch()).get('clinic');
  if (clinic !== null && /^\d{1,10}$/.test(clinic)) return <Restore key={clinic} number={Number(clinic)} />;
  return (
    <div className="op-page app-wide">
      <h1 tabIndex={-1}>Restore</h1>
      <p>Which records were lost?</p>
      <ul className="card op-rows">
        <li>
          <span className="op-main">
            <AppLink href="/operator/clinics">Those of a clinic</AppLink>
            <span className="op-sub">Open the clinic, then press “Restore them” below its last report.</span>
          </span>
        </li>
        <li>
          <span className="op-main">
            <AppLink href="/operator/restore?clinic=0">Those of the installation</AppLink>
            <span className="op-sub">The directory, the content area, operators and alerts.</span>
          </span>
        </li>
      </ul>
    </div>
  );
}

function Restore({ number }: { number: number }) {
  const view = usePolledView(`clinics/${number}/dumps`, readDumps, REFRESH_MS);
  return (
    <Screen
      title={number === 0 ? 'Restore the installation' : 'Restore a clinic'}
      view={view}
      lead={
        number > 0 && (
          <p>
            <AppLink href={`/operator/clinics/${number}`}>{view.data?.name || `Clinic ${number}`}</AppLink>
          </p>
        )
      }
    >
      {(data) => <Guide data={data} number={number} />}
    </Screen>
  );
}

function Guide({ data, number }: { data: OperatorDumps; number: number }) {
  const [folder, setFolder] = useState('');
  const { account, dumps } = data;
  const selectedDump = dumps.find((dump) => dump.folder === folder) ?? dumps[0];
  const commands = commandsOf(account ?? 0);
  if (account === null) {
    return (
      <Banner tone="warn" role="status" lead="This clinic has no account: it is being restored, or was erased.">
        An interrupted restore is ended by <code>npm run clinic -- abandon {number} --remote</code>; then begin again
        from the clinic’s own page.
      </Banner>
    );
  }
  return (
    <ol className="op-guide">
      <li className="card">
        <h2>See what is there</h2>
        {number > 0 && <ClinicStates clinic={data} />}
        <p>
          {number > 0
            ? 'Restore only if payers’ links are unknown, or this finds no or wrong records.'
            : 'Restore only into a new, empty database: make one and deploy (docs/deploy.md, steps 2, 3 and 5) before users connect.'}
        </p>
        {number > 0 && <Command text={commands.inspect} />}
      </li>
      <li className="card">
        <h2>Choose a dump</h2>
        {selectedDump ? (
          <>
            <Select aria-label="Dump" value={selectedDump.folder} onChange={({ target }) => setFolder(target.value)}>
              {dumps.map(({ folder: name, at }, index) => (
                <option key={name} value={name}>
                  {formatMoment(at)}
                  {index === 0 ? ', the newest' : ''}
                </option>
              ))}
            </Select>
            <p>
              {formatCount(selectedDump.rows, 'row')}
              {number > 0 && `, ledger ${formatMoney(selectedDump.ledger_cents, ONLINE_CURRENCY)}`}.{' '}
              {selectedDump.acts > 0 &&
                `${formatCount(selectedDump.acts, 'event')} happened during it, so its rows may disagree.`}
            </p>
          </>
        ) : (
          <p>
            {data.is_first_due ? 'There is no dump yet; the first one comes tonight.' : 'There is no dump.'} An archive
            that an administrator or operator downloaded can be restored instead.
          </p>
        )}
      </li>
      {number > 0 && (
        <li className="card">
          <h2>Remove wrong records</h2>
          <p>
            A restore needs an account without records. Be sure that {selectedDump ? 'the chosen dump' : 'the archive'}{' '}
            is there. Export wrong ones for the developers, and erase once they agree.
          </p>
          <Command text={commands.export} />
          <Command text={commands.erase(data.name)} />
        </li>
      )}
      <li className="card">
        <h2>Restore</h2>
        <p>Run this in the project’s folder, with its settings. A failed restore is abandoned and leaves nothing.</p>
        <Command text={selectedDump ? commands.restore(selectedDump.folder) : commands.restoreFile} />
      </li>
      {number > 0 && (
        <li className="card">
          <h2>Wait until payments are on</h2>
          <p>
            Payments, sales and refunds are blocked for at least ten minutes, until CRM and card provider were read.
            Repeat this until it says <code>online payments: on</code>, usually 15 minutes.
          </p>
          <Command text={commands.inspect} />
        </li>
      )}
      <li className="card">
        <h2>Afterwards</h2>
        <ul>
          {(number > 0 ? AFTER_CLINIC : AFTER_INSTALLATION).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ul>
      </li>
    </ol>
  );
}

/** Quotes a text so that a shell expands nothing in it. */
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const commandsOf = (account: number) => {
  const command = (verb: string, args = '') => `npm run clinic -- ${verb} ${account}${args} --remote`;
  return {
    inspect: command('inspect'),
    // Must differ from the file in step 4, which would otherwise restore the wrong records.
    export: command('export', ` --file ${account}-before-restore.zip`),
    erase: (name: string) => command('erase', ` --name ${quote(name)}`),
    restore: (folder: string) => command('restore', ` --dump ${folder}`),
    // In quotes, so that a shell does not read the brackets as redirections.
    restoreFile: command('restore', ` --file ${quote('<the archive you downloaded>.zip')}`),
  };
};

const AFTER_CLINIC = [
  'An administrator of the clinic confirms the findings in Payments to check, and writes off no invoice before that.',
  'The clinic sends newer payment links again; after an archive, all links, and it connects the CRM again.',
  'Staff send the receipts of confirmed payments; older emails are not sent.',
  'npm run audit:verify reports missing events; the event clinic.restored explains them.',
  'Repeat erasures of persons since the dump: npm run privacy.',
];
const AFTER_INSTALLATION = [
  'Add newer clinics to the directory before their staff log in (docs/deploy.md, “A clinic lost its records”).',
  'For a lost media bucket: rclone copy r2:tillway-backups/files r2:tillway-media.',
  'npm run audit:verify reports missing events.',
];

const Command = ({ text }: { text: string }) => <code className="op-code">{text}</code>;
