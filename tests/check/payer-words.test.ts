import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readPayerFiles, textsOutside } from '#scripts/checks/payer-words';

const files = readPayerFiles(path.resolve(import.meta.dirname, '../..'));
const sourceOf = (file: string): string => files.get(file) ?? '';

describe('texts shown to payers', () => {
  it('are all in the catalogue', () => {
    const texts = [...files].flatMap(([file, source]) => textsOutside(file, source).map((text) => `${file}:${text}`));
    expect(texts).toEqual([]);
    expect(files.size).toBeGreaterThan(30);
  });

  it.each([
    ['a text between tags', 'site/islands/pay/Success.tsx', '\nconst Planted = () => <p>Paid</p>;', 'Paid'],
    ['a label', 'site/islands/pay/Success.tsx', '\nconst Planted = () => <p aria-label="Paid" />;', 'Paid'],
    ['a placeholder', 'site/islands/pay/Success.tsx', '\nconst Planted = () => <input placeholder="Zip" />;', 'Zip'],
    ['a sentence in a string', 'site/islands/pay/words.ts', "\nconst planted = 'Pay again';", 'Pay again'],
    [
      'a sentence around a value',
      'worker/domain/mail/receipt-mail.ts',
      `\nconst planted = \`Paid on \${1}\`;`,
      'Paid on',
    ],
    ['a text in a shell', 'site/layouts/Pay.astro', '\n<p>Paid</p>', 'Paid'],
    ['a label in a shell', 'site/layouts/Pay.astro', '\n<p aria-label="Paid"></p>', 'Paid'],
  ])('are reported when they are outside the catalogue: %s', (_label, file, planted, text) => {
    const source = sourceOf(file);
    expect(source).not.toBe('');
    const line = `${source}${planted}`.trimEnd().split('\n').length;
    expect(textsOutside(file, `${source}${planted}`)).toEqual([`${line}: ${text}`]);
  });

  it('do not include operator texts, style names or placeholders that each response replaces', () => {
    expect(textsOutside('a.ts', "throw new Error('The page has no words.');")).toEqual([]);
    expect(textsOutside('a.tsx', '<p className="plate paper card" />')).toEqual([]);
    expect(textsOutside('a.astro', '<p data-fill="business">Business</p>')).toEqual([]);
  });
});
