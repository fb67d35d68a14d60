import type { OperatorWords } from './environment-file.ts';
import type { RemoteName } from './environment-name.ts';
import { type Finding, missing, notChecked, ok, wrong } from './finding.ts';

/** The claims that the homepage shows, by the words that a visitor reads. */
const claimsOf = ({ uptime, merchants, badges }: OperatorWords): string[] => [
  `${uptime} uptime`,
  `${merchants} merchants`,
  ...badges,
];

/**
 * The operator's own words. In production every claim needs an address that shows it and the day on which somebody
 * looked; elsewhere the homepage says "Sample claims" beside them.
 */
export function checkOperator(name: RemoteName, words: OperatorWords | null, today: string): Finding[] {
  if (!words) return [];
  const address = words.supportEmail.endsWith('.example')
    ? wrong('operator.supportEmail', 'is still the example address; payers will see it')
    : ok('operator.supportEmail');
  if (name !== 'production') return [address, notChecked('claims', 'the homepage calls them “Sample claims” here')];
  return [address, ...claimsOf(words).map((claim) => evidenceFinding(claim, words, today))];
}

function evidenceFinding(claim: string, { evidence }: OperatorWords, today: string): Finding {
  const what = `claim “${claim}”`;
  const shown = evidence.find((one) => one.claim === claim);
  if (!shown) return missing(what, 'operator.evidence has no address that shows it and the day on which you looked');
  return shown.seen > today ? wrong(what, 'its evidence was seen on a day to come') : ok(what, `seen ${shown.seen}`);
}
