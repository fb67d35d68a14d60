import { parseArgs } from 'node:util';
import { writeArchive } from './operate/archive-file.ts';
import { type Calls, callsOf, everyClinic, placeOf } from './operate/calls.ts';
import { fromDump, fromFile, restoreFrom } from './operate/restore.ts';
import { dumpsText, handOverText, inspectText, listText, unlockText } from './operate/words.ts';

/**
 * `npm run clinic -- list | inspect | hand-over | unlock | dumps | export | restore | abandon | erase <account>`, for
 * the product on this machine or, with `--remote`, for the installation of production.json.
 */
const USE = `npm run clinic -- list
npm run clinic -- inspect <account>
npm run clinic -- hand-over <account> --email EMAIL
npm run clinic -- unlock <account> --email EMAIL  a person of a clinic whose passkeys and PIN are lost
npm run clinic -- unlock --email EMAIL  a content account whose passkeys and recovery codes are lost
npm run clinic -- dumps <account> [--clinic NUMBER]
npm run clinic -- export <account> [--file FILE]
npm run clinic -- restore <account> --file FILE
npm run clinic -- restore <account> --dump FOLDER|latest [--clinic NUMBER]
npm run clinic -- abandon <clinic>      a restore that was cut short, by its number in the list
npm run clinic -- erase <account> --name NAME
each with --remote for the installation of production.json`;

try {
  await main();
} catch (cause) {
  console.error(`clinic: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      name: { type: 'string' },
      email: { type: 'string' },
      dump: { type: 'string' },
      clinic: { type: 'string' },
      local: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
    },
  });
  const [verb = '', target = '', ...more] = positionals;
  const account = Number(target);
  const isKnown = ['list', 'inspect', 'hand-over', 'unlock', 'dumps', 'export', 'restore', 'abandon', 'erase'].includes(
    verb,
  );
  // A content account belongs to no clinic.
  const isWithoutAccount = verb === 'list' || (verb === 'unlock' && target === '');
  if (!isKnown || more.length > 0 || isWithoutAccount !== (target === '')) throw new Error(`usage:\n${USE}`);
  if (values.local && values.remote) throw new Error('use either --local or --remote');
  const lowest = verb === 'dumps' ? 0 : 1;
  if (target !== '' && !(Number.isSafeInteger(account) && account >= lowest))
    throw new Error(`give ${verb === 'abandon' ? 'the clinic’s' : 'an account’s'} number`);
  const file = values.file ?? (verb === 'export' ? `clinic-${account}-${Date.now()}.zip` : '');
  if (verb === 'restore' && !file === !values.dump)
    throw new Error('give an export or a dump: --file FILE, or --dump FOLDER');
  if (verb === 'erase' && values.name === undefined) throw new Error('give the clinic’s name: --name NAME');
  if (verb === 'hand-over' && !values.email)
    throw new Error('give the address of the new administrator: --email EMAIL');
  if (verb === 'unlock' && !values.email) throw new Error('give the address of the account: --email EMAIL');
  const calls = callsOf(placeOf(values.remote));
  switch (verb) {
    case 'list': {
      const { clinics, schema } = await everyClinic(calls);
      return console.log(listText(clinics, schema));
    }
    case 'inspect':
      return console.log(inspectText(await calls.inspect(account)));
    case 'hand-over': {
      const { kind, others } = await calls.handOver(account, values.email ?? '');
      return console.log(handOverText(values.email ?? '', kind, others));
    }
    case 'unlock':
      if (target !== '') {
        await calls.unlockStaff(account, values.email ?? '');
        return console.log(unlockText(values.email ?? ''));
      }
      await calls.unlock(values.email ?? '');
      return console.log(`${values.email} now logs in with the password alone; an owner then creates a new passkey.`);
    case 'dumps':
      return console.log(dumpsText((await calls.dumps(account, values.clinic)).dumps));
    case 'export': {
      const { rows, sha256 } = await writeArchive(calls, account, file, ({ done, total }) => {
        if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${total}`);
      });
      return console.log(
        `${rows} rows and files in ${file}, SHA-256 ${sha256}. It contains payers’ data; guard it like money.`,
      );
    }
    case 'restore': {
      const folder = values.dump === 'latest' ? await latest(calls, account, values.clinic) : values.dump;
      const source = folder ? await fromDump(calls, folder) : await fromFile(calls, file);
      const { clinic, rows } = await restoreFrom(calls, account, source);
      const links = folder
        ? 'Links and receipts from before the dump remain valid; later links are sent again.'
        : 'The CRM must be connected again, and pay links sent again.';
      return console.log(
        `${rows} rows are back, as clinic ${clinic}. Payments are paused until the CRM’s records and the card provider’s
transactions have been read. ${links} "inspect ${account}" shows the progress.`,
      );
    }
    case 'abandon':
      await calls.abandon(account);
      return console.log(`The restore of clinic ${account} is abandoned, and none of its data is left.`);
    default: {
      const { clinic, kept, keptUntil, dumpsUntil, rows, pictures } = await calls.erase(account, values.name ?? '');
      return console.log(
        `Clinic ${clinic} is erased, with ${pictures} pictures. ${rows} rows of evidence, without payers, stay in the bucket
under ${kept} until ${day(keptUntil)}. Cloudflare can bring back its database for 30 days. Its dumps end with the
lifecycle of the bucket of backups, the last on ${day(dumpsUntil)}.
Anchors of the audit trail keep the account’s number.`,
      );
    }
  }
}

function day(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

async function latest(calls: Calls, account: number, clinic: string | undefined): Promise<string> {
  const newest = (await calls.dumps(account, clinic)).dumps.at(-1);
  if (!newest) throw new Error(`account ${account} has no dump`);
  return newest.folder;
}
