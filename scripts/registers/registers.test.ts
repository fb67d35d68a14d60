import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { inlineHashes, withHashes, withMeasured } from './register-rows.ts';

describe('updating the ceilings', () => {
  const text = readFileSync('tests/ceilings.ts', 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith("  '"));
  const nameOf = (row: string) => row.split("'")[1] ?? '';
  const [first = '', ...otherRows] = rows;

  it('changes nothing when the routes are the same, whatever limits were measured', () => {
    expect(withMeasured(text, rows.join('\n'))).toBe(text);
    const costlier = rows.map((row) => row.replace(/\[.*\]/, '[9000, 9000, 9000, 9000]'));
    expect(withMeasured(text, costlier.join('\n'))).toBe(text);
  });

  it('adds a sorted row for a new route and removes the row of a deleted one', () => {
    const newRow = "  'GET /api/planted': [3, 20, 0, 0],";
    const next = withMeasured(text, [newRow, ...otherRows].join('\n')).split('\n');
    expect(next).not.toContain(first);
    expect(next.filter((line) => line.startsWith("  '"))).toEqual(
      [...otherRows, newRow].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)),
    );
  });

  it('throws when the measurement printed no rows', () => {
    expect(() => withMeasured(text, 'something broke')).toThrow('no rows');
  });
});

describe('the inline scripts of the pay page', () => {
  const html =
    '<script>a</script><script src="/x.js"></script><script type="application/json">{}</script><script type="module">b</script>';
  const [a = '', b = ''] = inlineHashes(html);
  const entry = (hash: string, reason: string) => ({
    hash,
    owner: 'Tillway',
    integrity: 'allowed by this hash alone',
    reason,
  });

  it('identifies each by the hash of its content', () => {
    expect(inlineHashes(html)).toEqual([a, b]);
    expect(a).toBe('sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs=');
  });

  it('keeps the reasons of the others when one changes', () => {
    expect(withHashes([entry(b, 'second'), entry('sha256-old', 'first')], [a, b])).toEqual([
      entry(b, 'second'),
      entry(a, 'first'),
    ]);
  });

  it('requires a manual update when one is added or removed', () => {
    expect(() => withHashes([entry(a, 'first')], [a, b])).toThrow('2 inline scripts');
  });
});
