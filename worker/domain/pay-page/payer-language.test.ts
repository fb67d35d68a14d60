import { describe, expect, it } from 'vitest';
import { eventsOf } from '#tests/support/unit/trail';
import { makeWorld } from '#tests/support/unit/world';
import type { Merchant } from '#worker/domain/merchants/session';
import { setPayerLanguage, viewPayerLanguage } from './settings.ts';
import { viewLink } from './view-payable.ts';

describe('the default language for payers', () => {
  it('is English until a manager changes it, applies to the next page, and is recorded in the trail', async () => {
    const { deps, accountId, payId } = await makeWorld();
    const you: Merchant = { sessionId: '', accountId, userId: 1, role: 'manager' };
    expect(await viewPayerLanguage(deps, you)).toEqual({ language: 'en' });
    const shown = async () => {
      const found = await viewLink(deps, payId);
      return 'payerLanguage' in found ? found.payerLanguage : null;
    };
    expect(await shown()).toBe('en');
    expect(await setPayerLanguage(deps, you, 'es')).toEqual({ language: 'es' });
    expect(await viewPayerLanguage(deps, you)).toEqual({ language: 'es' });
    expect(await shown()).toBe('es');
    await setPayerLanguage(deps, you, 'en');
    expect(await shown()).toBe('en');
    const told = (await eventsOf(accountId)).filter(({ action }) => action === 'payer-language.changed');
    expect(told.map(({ before, after }) => [before, after])).toEqual([
      ['{"language":"en"}', '{"language":"es"}'],
      ['{"language":"es"}', '{"language":"en"}'],
    ]);
  });

  it('is set for one account only', async () => {
    const [own, other] = [await makeWorld(), await makeWorld()];
    const of = ({ accountId }: typeof own): Merchant => ({ sessionId: '', accountId, userId: 1, role: 'manager' });
    await setPayerLanguage(own.deps, of(own), 'es');
    expect(await viewPayerLanguage(other.deps, of(other))).toEqual({ language: 'en' });
  });
});
