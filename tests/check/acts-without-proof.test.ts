import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { everyRoute } from '#worker/areas/every-route';
import { isStaff } from '#worker/security/route-access';

const docs = readFileSync('docs/security-rules.md', 'utf8');
const acts = everyRoute.filter(({ method, route }) => isStaff(route.access) && method !== 'GET');

/** Routes with the reason why each takes no proof. */
function reasonsIn(text: string): Map<string, string> {
  const [, section = ''] = text.split('\n### Acts without a proof\n');
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`.*`) \| (.*) \|$/gm)];
  return new Map(
    rows.flatMap(([, names = '', reason = '']) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => [name, reason.trim()] as const),
    ),
  );
}

/** Acts with neither a proof nor a reason, and reasons that no act without a proof has. */
function problemsOf(text: string): string[] {
  const reasons = reasonsIn(text);
  const unproved = acts.flatMap(({ name, route }) => (route.stepUp ? [] : [name]));
  return [
    ...unproved.filter((row) => !reasons.get(row)).map((row) => `${row} takes no proof, and nothing says why`),
    ...[...reasons.keys()].filter((row) => !unproved.includes(row)).map((row) => `${row} takes a proof, or is no act`),
  ];
}

describe('docs/security-rules.md', () => {
  it('gives a reason for every staff act that takes no proof', () => {
    expect(acts.length).toBeGreaterThan(40);
    expect(problemsOf(docs)).toEqual([]);
  });

  it('fails the check when a reason is missing or superfluous', () => {
    for (const row of reasonsIn(docs).keys())
      expect(problemsOf(docs.replace(`\`${row}\``, ''))).toContain(`${row} takes no proof, and nothing says why`);
    const changed = docs.replace('| `POST /api/matching` |', '| `POST /api/matching`, `PUT /api/account/closing` |');
    expect(problemsOf(changed)).toEqual(['PUT /api/account/closing takes a proof, or is no act']);
  });
});
