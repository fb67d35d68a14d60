import type { ApplePaySetting } from '#shared/contracts/staff/account-settings';
import {
  type ApplePayState,
  claimRegistrations,
  readApplePay,
  recordRegistration,
} from '#worker/data/merchants/pay-page-settings';
import { findOnlineTerminal } from '#worker/data/terminals/terminals';
import type { Deps } from '#worker/deps';
import type { Merchant } from '#worker/domain/merchants/session';
import { setSwitch } from './settings.ts';

/** A registration that failed is repeated after this time (ms). */
const RETRY_MS = 3_600_000;

/** The host of the pay pages, which Apple Pay must know for each merchant. */
const hostOf = ({ settings }: Pick<Deps, 'settings'>): string => new URL(settings.APP_URL).hostname;

/** True if pay pages offer Apple Pay. */
export const offersApplePay = (
  deps: Pick<Deps, 'settings'>,
  { takesApplePay, applePayHost }: Pick<ApplePayState, 'takesApplePay' | 'applePayHost'>,
): boolean => takesApplePay && applePayHost === hostOf(deps);

/** The setting for Apple Pay, with the state of the registration. */
export async function viewApplePay(deps: Deps, { accountId }: Merchant): Promise<ApplePaySetting> {
  const state = await readApplePay(deps.db, accountId);
  return {
    is_on: state?.takesApplePay === true,
    host: hostOf(deps),
    is_registered: state?.applePayHost === hostOf(deps),
    refusal: state?.applePayRefusal ?? '',
  };
}

/** Switches Apple Pay on or off. Switching it on registers the host at once; after a failure, the schedule retries. */
export async function setApplePay(deps: Deps, merchant: Merchant, isOn: boolean): Promise<ApplePaySetting> {
  await setSwitch(deps, merchant, 'apple-pay', isOn);
  if (isOn) await registerHost(deps, merchant.accountId);
  return viewApplePay(deps, merchant);
}

/** The reason shown for a missing registration until the card provider has set up online payments. */
const NO_TERMINAL = 'online payments are not set up yet';

/** Registers the host for an account, with the key of its terminal for online payments. */
async function registerHost(deps: Deps, accountId: number): Promise<void> {
  const host = hostOf(deps);
  const terminal = await findOnlineTerminal(deps.db, accountId);
  const outcome = terminal
    ? await deps.gateway.registerForApplePay(terminal, host)
    : ({ kind: 'refused', message: NO_TERMINAL } as const);
  deps.log.info('apple-pay-registration', { accountId, host, outcome: outcome.kind });
  await recordRegistration(
    deps.db,
    accountId,
    outcome.kind === 'registered'
      ? { applePayHost: host, applePayRefusal: '', applePayNextAt: null }
      : {
          applePayRefusal: outcome.kind === 'refused' ? outcome.message.slice(0, 200) : '',
          applePayNextAt: deps.now() + RETRY_MS,
        },
  );
}

/** For the schedule: repeats registrations that failed. */
export async function registerDueHosts(deps: Deps): Promise<void> {
  const now = deps.now();
  for (const { accountId } of await claimRegistrations(deps.db, now, now + RETRY_MS))
    await registerHost(deps, accountId);
}
