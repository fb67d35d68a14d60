import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bare } from '#tests/statements/bare';
import { growing } from '#tests/statements/growing';
import { COMPOSERS, SENDERS } from '#tests/statements/sent';

/** The statement tests run only in the complete run, where a renamed file would be noticed too late. */
describe('the files that the statement tests name', () => {
  const excuses = { growing, bare };

  it('exist', () => {
    const files = [...COMPOSERS, ...SENDERS, ...Object.values(excuses).flatMap((list) => list.map(({ file }) => file))];
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });

  it.each(Object.entries(excuses))('stand in order, each pattern once: %s', (_name, list) => {
    const order = list.map(({ file, is }) => `${file} ${is.source}`);
    expect(order).toEqual([...new Set(order)].toSorted());
  });
});
