import { expect, it } from 'vitest';
import { foldText, phoneDigits } from './fold-text.ts';

it.each([
  ['Ragnheiður', 'ragnheidur'],
  ['NÚÑEZ', 'nunez'],
  ['Łukasz Øster', 'lukasz oster'],
  ['Strauß', 'strauss'],
  ['Þóra Ægisdóttir', 'thora aegisdottir'],
  ['Đặng', 'dang'],
])('folds %s to %s', (text, plain) => {
  expect(foldText(text)).toBe(plain);
});

it.each([
  ['+1 317 555 0242', '3175550242'],
  ['1 (317) 555-0242', '3175550242'],
  ['317.555.0242', '3175550242'],
  ['+1 317 555', null],
  ['+1 317 555 0', '3175550'],
  ['555 0242', '5550242'],
  ['INV-1042-2026', null],
  ['1042', null],
])('reads the phone number %j as %j', (text, digits) => {
  expect(phoneDigits(text)).toBe(digits);
});
