import type { Db } from '#worker/data/db';
import type { PaymentSwitch } from '#worker/data/schema/operators';

/** The switch for online payments; null: nobody has ever used it. Payers load this, so it is plain SQL. */
export const readPaymentSwitch = ({ $client }: Db): Promise<PaymentSwitch | null> =>
  $client
    .prepare('SELECT id, state, at, operator_id AS operatorId, reason FROM payment_switch WHERE id = 1')
    .first<PaymentSwitch>();
