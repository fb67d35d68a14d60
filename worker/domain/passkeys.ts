import { operator } from '#shared/operator';
import type { Deps } from '#worker/deps';
import { createPasskeys, type Passkeys } from '#worker/security/passkeys';

/** Passkeys of people who log in here. Not part of Deps, since the library is a third of what the Worker would start with. */
export const passkeysOf = ({ settings }: Pick<Deps, 'settings'>): Passkeys =>
  createPasskeys({ appUrl: settings.APP_URL, name: operator.name });
