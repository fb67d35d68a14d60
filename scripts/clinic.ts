import { parseArgs } from 'node:util';
import { callsOf, everyClinic, placeOf } from './operate/calls.ts';
import { writeExport } from './operate/export-file.ts';
import { restoreFrom } from './operate/restore.ts';
import { inspectText, listText } from './operate/words.ts';

/**
 * `npm run clinic -- list | inspect | export | restore | abandon | erase <account> [--file FILE] [--name NAME] [--remote]`, at the
 * product that runs on this machine or, with `--remote`, at the installation of production.json.
 */
const USE = `npm run clinic -- list
npm run clinic -- inspect <account>
npm run clinic -- export <account> [--file FILE]
npm run clinic -- restore <account> --file FILE
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
      local: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
    },
  });
  const [verb = '', which = '', ...more] = positionals;
  const account = Number(which);
  const isKnown = ['list', 'inspect', 'export', 'restore', 'abandon', 'erase'].includes(verb);
  if (!isKnown || more.length > 0 || (verb === 'list') !== (which === '')) throw new Error(`use it so:\n${USE}`);
  if (values.local && values.remote) throw new Error('either --local or --remote');
  if (verb !== 'list' && !(Number.isSafeInteger(account) && account > 0))
    throw new Error(`give ${verb === 'abandon' ? 'the clinic’s' : 'an account’s'} number`);
  const file = values.file ?? (verb === 'export' ? `clinic-${account}-${Date.now()}.ndjson` : '');
  if (verb === 'restore' && !file) throw new Error('give the export: --file FILE');
  if (verb === 'erase' && values.name === undefined) throw new Error('give the clinic’s name: --name NAME');
  const calls = callsOf(placeOf(values.remote));
  switch (verb) {
    case 'list': {
      const { clinics, schema } = await everyClinic(calls);
      return console.log(listText(clinics, schema));
    }
    case 'inspect':
      return console.log(inspectText(await calls.inspect(account)));
    case 'export': {
      const { counts, sha256 } = await writeExport(calls, account, file);
      const n = Object.values(counts).reduce((sum, rows) => sum + rows, 0);
      return console.log(
        `${n} rows in ${file}, SHA-256 ${sha256}. It holds what payers told; keep it as you keep money.`,
      );
    }
    case 'restore': {
      const { clinic, rows } = await restoreFrom(calls, account, file);
      return console.log(
        `${rows} rows are back, as clinic ${clinic}. Payments stand still until the card provider’s transactions were read.
The CRM must be connected again, and pay links sent again. "inspect ${account}" says how far it is.`,
      );
    }
    case 'abandon':
      await calls.abandon(account);
      return console.log(`The restore of clinic ${account} is given up, and nothing of it is left.`);
    default: {
      const { clinic, kept, keptUntil, rows, pictures } = await calls.erase(account, values.name ?? '');
      return console.log(
        `Clinic ${clinic} is erased, with ${pictures} pictures. ${rows} rows of evidence, without payers, stay in the bucket
under ${kept} until ${new Date(keptUntil).toISOString().slice(0, 10)}. Cloudflare can bring back its database for 30 days.`,
      );
    }
  }
}
