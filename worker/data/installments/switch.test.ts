import { expect, it } from 'vitest';
import { bareBooks } from '#tests/support/unit/bare-books';
import { ACCOUNT, eventOf } from '#tests/support/unit/rows';
import { eventsOf } from '#tests/support/unit/trail';
import { readInstallmentSwitch, saveInstallmentSwitch } from './collections.ts';

it('writes an event for the installments switch only when it changes', async () => {
  const { db } = await bareBooks({ takesParts: false });
  const set = async (isOn: boolean) => {
    await saveInstallmentSwitch(db, ACCOUNT, isOn, eventOf('parts.switched', { subjectId: String(ACCOUNT) }));
    return [await readInstallmentSwitch(db, ACCOUNT), (await eventsOf(ACCOUNT)).length];
  };
  expect([await set(false), await set(true), await set(true), await set(false)]).toEqual([
    [false, 0],
    [true, 1],
    [true, 1],
    [false, 2],
  ]);
  expect(await readInstallmentSwitch(db, ACCOUNT + 1)).toBe(false);
});
