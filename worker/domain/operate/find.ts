import { INSTALLATION } from '#worker/data/schema/audit';
import type { Deps } from '#worker/deps';
import { clinicOfAccount } from '#worker/domain/merchants/clinic-of-account';

/** The deps of an account's database; account 0 is the installation. Null: it has none. */
export const databaseOf = async (deps: Deps, account: number): Promise<Deps | null> =>
  account === INSTALLATION ? deps : clinicOfAccount(deps, account);
