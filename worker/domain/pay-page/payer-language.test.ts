import { describe, expect, it } from 'vitest';
import { eventsOf } from '#tests/support/unit/trail';
import { makeWorld } from '#tests/support/unit/world';
import type { Merchant } from '#worker/domain/merchants/session';
import { setPayerLanguage, viewPayerLanguage } from './settings.ts';
import { viewLink } from './view-payable.ts';

describe('the default language for payers', () => {
  it('is English until a manager changes it, applies to the next page, and is recorded in the trail', async () => {
    const { deps, accountId, payId } = await makeWorld();
    const merchant: Merchant = { sessionId: '', accountId, userId: 1, role: 'manager' };
    expect(await viewPayerLanguage(deps, merchant)).toEqual({ language: 'en' });
    const pageLanguage = async () => {
      const linkView = await viewLink(deps, payId);
      return 'payerLanguage' in linkView ? linkView.payerLanguage : null;
    };
    expect(await pageLanguage()).toBe('en');
    expect(await setPayerLanguage(deps, merchant, 'es')).toEqual({ language: 'es' });
    expect(await viewPayerLanguage(deps, merchant)).toEqual({ language: 'es' });
    expect(await pageLanguage()).toBe('es');
    await setPayerLanguage(deps, merchant, 'en');
    expect(await pageLanguage()).toBe('en');
    const events = (await eventsOf(accountId)).filter(({ action }) => action === 'payer-language.changed');
    expect(events.map(({ before, after }) => [before, after])).toEqual([
      ['{"language":"en"}', '{"language":"es"}'],
      ['{"language":"es"}', '{"language":"en"}'],
    ]);
  });

  it('is set for one account only', async () => {
    const [world, otherWorld] = [await makeWorld(), await makeWorld()];
    const merchantOf = ({ accountId }: typeof world): Merchant => ({
      sessionId: '',
      accountId,
      userId: 1,
      role: 'manager',
    });
    await setPayerLanguage(world.deps, merchantOf(world), 'es');
    expect(await viewPayerLanguage(otherWorld.deps, merchantOf(otherWorld))).toEqual({ language: 'en' });
  });
});
