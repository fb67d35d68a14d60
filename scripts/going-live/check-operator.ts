import type { OperatorWords, RemoteName } from './environment-file.ts';
import { type Finding, missing, notChecked, ok, wrong } from './finding.ts';

/** Reports and certificates for the claims are renewed each year. */
const EVIDENCE_MONTHS = 12;

function monthsBefore(day: string, months: number): string {
  const date = new Date(day);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}

/** The claims on the homepage, as a visitor reads them. */
const claimsOf = ({ uptime, merchants, badges }: OperatorWords): string[] => [
  `${uptime} uptime`,
  `${merchants} merchants`,
  ...badges,
];

/**
 * Checks the operator's own words. In production every claim needs an address as evidence and the day of its last
 * check, within the last year; elsewhere the homepage shows "Sample claims" beside them.
 */
export function checkOperator(name: RemoteName, words: OperatorWords | null, today: string): Finding[] {
  if (!words) return [];
  const address = words.supportEmail.endsWith('.example')
    ? wrong('operator.supportEmail', 'is still the example address, which payers would see (step 3)')
    : ok('operator.supportEmail');
  if (name !== 'production') return [address, notChecked('claims', 'the homepage shows them as “Sample claims” here')];
  return [address, ...claimsOf(words).map((claim) => evidenceFinding(claim, words, today))];
}

function evidenceFinding(claim: string, { evidence }: OperatorWords, today: string): Finding {
  const label = `claim “${claim}”`;
  const proof = evidence.find((entry) => entry.claim === claim);
  if (!proof)
    return missing(label, 'operator.evidence has no address that shows it and the day of your last check (step 3)');
  if (proof.seen > today) return wrong(label, 'its evidence has a date in the future (step 3)');
  return proof.seen < monthsBefore(today, EVIDENCE_MONTHS)
    ? wrong(label, `its evidence was seen ${proof.seen}, more than ${EVIDENCE_MONTHS} months ago: check again (step 3)`)
    : ok(label, `seen ${proof.seen}`);
}
