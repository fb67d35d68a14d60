import { parseArgs } from 'node:util';
import type { PersonErasedPlace, PersonPlace } from '#shared/contracts/operators/operate';
import { type Calls, callsOf, eachOf, everyAccount, placeOf } from './operate/calls.ts';
import { erasedText, shownText } from './operate/words.ts';

/**
 * `npm run privacy -- --email <address>` shows the stored data about a person, in the installation and in every clinic.
 * With `--erase` it erases all data that may be erased and reports the rest with the reasons. It uses the product on
 * this machine, or with `--remote` the installation of production.json.
 */
const OUTSIDE_NOTE = `Not here: the CRM, the card provider and the mail service keep what they received by their own rules. Cloudflare can
bring back any minute of the last 30 days; after a restore, run this again.`;

try {
  await main();
} catch (cause) {
  console.error(`privacy: ${cause instanceof Error ? cause.message : String(cause)}`);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { email = '', erase, remote } = readOptions();
  if (!/^[^\s@]+@[^\s@]+$/.test(email.trim())) throw new Error('give the address of a person: --email name@domain');
  const place = placeOf(remote);
  const calls = callsOf(place);
  const where = place.name;
  if (erase) {
    const erased = sumOf(await ask(calls, async (account) => (await calls.erasePerson(account, email)).erased));
    const n = erased.reduce((sum, place) => sum + place.erased, 0);
    console.log(erased.length > 0 ? erasedText(erased) : `Nothing is stored about ${email} at ${where}.`);
    console.log(`\n${n} erased at ${where}. ${OUTSIDE_NOTE}`);
  } else {
    const holdings = mergePlaces(await ask(calls, async (account) => (await calls.showPerson(account, email)).shown));
    const n = holdings.reduce((sum, { erasable }) => sum + erasable, 0);
    console.log(holdings.length > 0 ? shownText(holdings) : `Nothing is stored about ${email} at ${where}.`);
    console.log(`\n${n > 0 ? `With --erase, ${n} would be erased at ${where}. ` : ''}${OUTSIDE_NOTE}`);
  }
}

async function ask<T>(calls: Calls, query: (account: number) => Promise<T[]>): Promise<T[]> {
  return (await eachOf(await everyAccount(calls), query)).flat();
}

/** Merges places of the same name from all databases. */
function mergePlaces(places: PersonPlace[]): PersonPlace[] {
  const merged = new Map<string, PersonPlace>();
  for (const { name, rows, erasable, stays } of places) {
    const place = merged.get(name) ?? { name, rows: [], erasable: 0, stays };
    merged.set(name, { ...place, rows: [...place.rows, ...rows], erasable: place.erasable + erasable });
  }
  return [...merged.values()];
}

function sumOf(places: PersonErasedPlace[]): PersonErasedPlace[] {
  const sums = new Map<string, PersonErasedPlace>();
  for (const { name, found, erased, stays } of places) {
    const place = sums.get(name) ?? { name, found: 0, erased: 0, stays };
    sums.set(name, { ...place, found: place.found + found, erased: place.erased + erased });
  }
  return [...sums.values()];
}

function readOptions() {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      erase: { type: 'boolean', default: false },
      local: { type: 'boolean', default: false },
      remote: { type: 'boolean', default: false },
    },
  });
  if (values.local && values.remote) throw new Error('use either --local or --remote');
  return values;
}
