import { expect, it } from 'vitest';
import { namesFirst } from './names-first.ts';

const sortNames = (query: string, ...names: string[]) => namesFirst(names, (name) => name, query);

it('puts names with every typed word first and keeps the order of the others', () => {
  expect(sortNames('marta nunez', 'Marta Kowalski', 'Marta Núñez', 'Marta Osei')).toEqual([
    'Marta Núñez',
    'Marta Kowalski',
    'Marta Osei',
  ]);
  expect(sortNames(' NUNEZ  mar ', 'Ann', 'marta nunez')).toEqual(['marta nunez', 'Ann']);
});

it('finds a name written last name first, with punctuation', () => {
  expect(sortNames('Núñez, Marta', 'Ivy Abel', 'Marta Núñez')).toEqual(['Marta Núñez', 'Ivy Abel']);
  expect(sortNames("o'brien", 'Ann', "Mary O'Brien")).toEqual(["Mary O'Brien", 'Ann']);
});

it('matches letters without a removable accent by their plain spelling', () => {
  expect(sortNames('sorensen', 'Ann', 'Sørensen')).toEqual(['Sørensen', 'Ann']);
});
