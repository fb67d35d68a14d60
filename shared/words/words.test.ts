import { describe, expect, it } from 'vitest';
import { payerPhrases } from '#tests/support/payer-phrases';
import { around, bilingual, fill, wordsIn } from './bilingual.ts';
import { billWords, receiptWords } from './bill-and-receipt-words.ts';
import { dateIn, dayIn, listIn, moneyIn } from './formats.ts';
import { acceptedLanguage, languages, mailLanguage, pageLanguage, readLanguage, withLanguage } from './language.ts';

const namesIn = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();

describe('the phrase catalogue for payers', () => {
  it('has every phrase in every language with the same placeholders', () => {
    expect(payerPhrases.length).toBeGreaterThan(100);
    for (const { name, ...phrase } of payerPhrases)
      for (const language of languages) {
        expect(phrase[language].trim(), name).not.toBe('');
        expect(namesIn(phrase[language]), name).toEqual(namesIn(phrase.en));
      }
  });

  it('addresses the payer as usted and never uses a form of tú', () => {
    for (const { name, es } of payerPhrases) expect(es, name).not.toMatch(/\b(tú|tu|tus|te|ti|contigo)\b/i);
  });

  it('fails to compile for a phrase without Spanish or with different placeholders', () => {
    // @ts-expect-error: no Spanish
    expect(bilingual('Paid').es).toBeUndefined();
    // @ts-expect-error: different names in braces
    expect(bilingual('Due {date}', 'Vence el {fecha}').es).toBe('Vence el {fecha}');
    // @ts-expect-error: a phrase with a name in braces is not a text yet
    const text: string = wordsIn({ due: bilingual('Due {date}', 'Vence el {date}') }, 'es').due;
    expect(text).toContain('{date}');
  });

  it('fills each placeholder once, regardless of the values', () => {
    const { title } = wordsIn(billWords, 'es');
    expect(fill(title, { n: '{b}', b: 'Ana $& Co' })).toBe('Pagar la factura {b} – Ana $& Co');
    expect(around(wordsIn(receiptWords, 'es').cancelledOn)).toEqual(['Cancelado el ', '']);
  });
});

describe('money, dates and lists', () => {
  it('use US conventions in Spanish too', () => {
    expect([moneyIn('en', 1218450, 'USD'), moneyIn('es', 1218450, 'USD')]).toEqual(['$12,184.50', '$12,184.50']);
    expect([dateIn('en', '2026-03-04'), dateIn('es', '2026-03-04')]).toEqual(['Mar 4, 2026', '4 mar 2026']);
    expect(dayIn('es', Date.UTC(2026, 2, 5, 3), 'America/New_York')).toBe('4 mar 2026');
    expect(listIn('en', ['City', 'Signature'])).toBe('City, Signature');
    expect(listIn('es', ['Nombre', 'Ciudad', 'Firma'])).toBe('Nombre, Ciudad y Firma');
  });
});

describe('choosing the language', () => {
  it.each([
    ['es', 'en-US', 'en', 'es'],
    ['ES-us', 'en-US', 'en', 'es'],
    ['is', 'es-MX,es;q=0.9', 'en', 'es'],
    [null, 'en;q=0.4, es-419;q=0.8', 'en', 'es'],
    [null, 'es;q=0, en', 'es', 'en'],
    [null, 'is, fo;q=0.5', 'es', 'es'],
    [null, null, 'es', 'es'],
    [null, 'es-US,en', 'en', 'es'],
    [null, null, 'is', 'en'],
    [null, 'es;q=x', undefined, 'en'],
  ])(
    'follows the request, then the browser, then the account: requested %s, browser %s, account %s: %s',
    (requested, acceptHeader, account, language) => {
      expect(pageLanguage({ requested: requested, acceptHeader: acceptHeader, account })).toBe(language);
    },
  );

  it('adds the language to addresses and reads it from any language tag', () => {
    expect(withLanguage('/receipt/1', 'es')).toBe('/receipt/1?lang=es');
    expect(withLanguage('/receipt/1?a=b', 'en')).toBe('/receipt/1?a=b&lang=en');
    expect(withLanguage('/receipt/1', null)).toBe('/receipt/1');
    expect([readLanguage('es_MX'), readLanguage('est'), readLanguage('')]).toEqual(['es', null, null]);
    expect(acceptedLanguage('*')).toBeNull();
  });
});

it('uses the contact’s language for an email, then the visit’s, then the account’s, then English', () => {
  expect(mailLanguage('es-mx', 'en', 'en')).toBe('es');
  expect(mailLanguage('is', 'es', 'en')).toBe('es');
  expect(mailLanguage('', '', 'es')).toBe('es');
  expect(mailLanguage(undefined, undefined, '')).toBe('en');
});
