import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * The token of a card on file charges the card. So the gateway's `card` field, which accepts a token, is written only by
 * the adapter, and the token reaches it only as a `StoredCardRef`, which neither a log nor a reply can contain.
 */
type Rule = { pattern: RegExp; within?: string; permitted: string[]; message: string };

const ADAPTER = 'worker/vendors/clearent/';
const VAULT = `${ADAPTER}stored-cards.ts`;

const RULES: Rule[] = [
  {
    pattern: /\/rest\/v2\//,
    permitted: [ADAPTER],
    message: 'call the gateway through its port',
  },
  {
    pattern: /(?:^|[\s{,])(?:card|'card'|"card"): (?!text\b|StoredCardRef\b)/,
    within: ADAPTER,
    permitted: [VAULT],
    message: 'only the vault sends the card field of /rest/v2/transactions',
  },
  {
    pattern: /\bnew StoredCardRef\(/,
    permitted: [VAULT, 'worker/domain/stored-cards/provider-card.ts'],
    message: 'take the StoredCardRef of the row or of the gateway',
  },
  {
    pattern: /\.sealedToken\(\)/,
    permitted: [VAULT, 'worker/domain/payments/settle.ts', 'worker/domain/stored-cards/read-card.ts'],
    message: 'pass the StoredCardRef itself; its token is only stored or opened',
  },
  {
    pattern: /\bopenCardToken\(|\bboundTo\.storedCard\(/,
    permitted: [VAULT, `${ADAPTER}http.ts`, 'worker/deps.ts', 'worker/domain/keys/reseal.ts'],
    message: 'only the vault opens the token of a card',
  },
];

const isIn = (file: string, places: string[]) => places.some((place) => file.startsWith(place));

/** The violations in the product's code, such as `worker/app.ts:3 call the gateway through its port`. */
export function cardTokenLeaks(root: string): string[] {
  const files = globSync('{worker,site,shared}/**/*.{ts,tsx,astro}', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !file.includes('.test.'));
  return files.sort().flatMap((file) => {
    const rules = RULES.filter(({ within = '', permitted }) => file.startsWith(within) && !isIn(file, permitted));
    const lines = readFileSync(path.join(root, file), 'utf8').split('\n');
    return lines.flatMap((line, at) =>
      rules.filter(({ pattern }) => pattern.test(line)).map(({ message }) => `${file}:${at + 1} ${message}`),
    );
  });
}

if (import.meta.main) {
  const leaks = cardTokenLeaks(process.cwd());
  for (const line of leaks) console.error(line);
  process.exitCode = leaks.length > 0 ? 1 : 0;
}
