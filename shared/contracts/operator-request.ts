import * as z from 'zod/mini';
import { listLimits } from '../limits.ts';
import { operatorLimits } from '../operator-limits.ts';
import { clinicFilters } from './operator-values.ts';
import { MadePasskey, ShownPasskey } from './passkey-request.ts';

/** Requests of the operator's area. */

const Code = z
  .string({ error: 'Please enter the code.' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Please enter the code.' }),
    z.maxLength(operatorLimits.code, { error: 'This code is not valid.' }),
  );
const Name = z
  .string({ error: 'Please enter your name.' })
  .check(
    z.trim(),
    z.minLength(1, { error: 'Please enter your name.' }),
    z.maxLength(operatorLimits.name, { error: 'This name is too long.' }),
    z.regex(/^[^\p{Cc}\p{Cf}]*$/u, { error: 'The name contains characters that are not allowed.' }),
  );

/** POST /api/operator/enrolment/options */
export const EnrolmentOptionsBody = z.object({ code: Code, name: Name });
export type EnrolmentOptionsBody = z.input<typeof EnrolmentOptionsBody>;

/** POST /api/operator/enrolment */
export const EnrolmentBody = z.object({ code: Code, name: Name, credential: MadePasskey });
export type EnrolmentBody = z.output<typeof EnrolmentBody>;

/** POST /api/operator/session, POST /api/operator/proof */
export const PasskeyBody = z.object({ credential: ShownPasskey });
export type PasskeyBody = z.output<typeof PasskeyBody>;

const page = z.coerce
  .number({ error: 'There is no such page.' })
  .check(z.int({ error: 'There is no such page.' }), z.gte(1, { error: 'There is no such page.' }), z.lte(10_000));

/** GET /api/operator/clinics */
export const ClinicsQuery = z.object({
  q: z._default(
    z.string().check(z.trim(), z.maxLength(listLimits.typedWords, { error: 'Please search for less.' })),
    '',
  ),
  filter: z._default(z.enum(clinicFilters, { error: 'There is no such group of clinics.' }), 'all'),
  page: z._default(page, 1),
});
export type ClinicsQuery = z.output<typeof ClinicsQuery>;

/** POST /api/operator/alerts/acknowledgement */
export const AcknowledgeBody = z.object({ key: z.string().check(z.minLength(1), z.maxLength(operatorLimits.key)) });
export type AcknowledgeBody = z.input<typeof AcknowledgeBody>;

/** POST /api/operator/mails/again. `clinic` 0: a mail of the installation. */
export const SendAgainBody = z.object({
  clinic: z.number().check(z.int(), z.gte(0)),
  mail: z.string().check(z.minLength(1), z.maxLength(operatorLimits.key)),
});
export type SendAgainBody = z.input<typeof SendAgainBody>;

const reasonError = `Please say why, in ${operatorLimits.reasonFrom} to ${operatorLimits.reason} characters.`;

/** PUT /api/operator/payments */
export const PaymentsBody = z.object({
  state: z.enum(['open', 'paused'], { error: 'Payments are open or paused.' }),
  reason: z
    .string({ error: reasonError })
    .check(
      z.trim(),
      z.minLength(operatorLimits.reasonFrom, { error: reasonError }),
      z.maxLength(operatorLimits.reason, { error: reasonError }),
    ),
});
export type PaymentsBody = z.input<typeof PaymentsBody>;
