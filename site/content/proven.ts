/** Plain descriptions of experiments that visitors can understand, by their names in docs/reliability.md. */
const DESCRIPTIONS: Record<string, string> = {
  'E1 submits at once, different cards': 'Many people pay one bill at the same moment, each with another card',
  'E1b the same token': 'One payment is sent again and again, all at once',
  'E2 kill after-gateway': 'Our server dies right after the card was charged',
  'E3 drop-after': 'The card is charged and the answer is lost',
  'E3d gateway silent for 50 minutes': 'The card provider is silent for 50 minutes',
  'E19 object reset in a charge': 'The clinic’s database restarts in the middle of a charge',
  'E13 restored an hour back, then reconciled': 'The database is put back to where it was an hour ago',
};

export type ExperimentResult = { description: string; size: string; extra: string; lost: string };

/** The results of the last full run. A missing row fails the build, so that no unproven claim is published. */
export function readProven(reliability: string): ExperimentResult[] {
  const rows = reliability.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  return Object.entries(DESCRIPTIONS).map(([name, description]) => {
    const [, , size, extra, lost] = rows.find(([, first]) => first === name) ?? [];
    if (!size || !extra || !lost) throw new Error(`docs/reliability.md has no row “${name}”`);
    return { description, size, extra, lost };
  });
}
