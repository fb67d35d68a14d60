import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { growthExcuses } from '#tests/statements/growth-excuses';
import { noRowsExcuses } from '#tests/statements/no-rows-excuses';
import { COMPOSERS, SENDERS } from '#tests/statements/sent';

/** The statement tests run only in the complete run, where a renamed file would be noticed too late. */
describe('the statement tests', () => {
  const exempt = { growing: growthExcuses, bare: noRowsExcuses };

  it('name only existing files', () => {
    const files = [...COMPOSERS, ...SENDERS, ...Object.values(exempt).flatMap((list) => list.map(({ file }) => file))];
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it.each(Object.entries(exempt))('list their files in order, each pattern once: %s', (_name, list) => {
    const order = list.map(({ file, pattern }) => `${file} ${pattern.source}`);
    expect(order).toEqual([...new Set(order)].toSorted());
  });
});
