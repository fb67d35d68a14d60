import * as z from 'zod/mini';
import type { StaffRight, StaffRole } from './team-values.ts';

/** Responses of the merchant's session and onboarding calls. */

/** GET /api/token/status/{authToken}; `current` means the caller's own bearer token. */
export const TokenStatus = z.object({
  data: z.object({
    user: z.string(),
    user_id: z.number(),
    token_type: z.string(),
    hub_domain: z.string(),
    scopes: z.array(z.string()),
  }),
});
export type TokenStatus = z.infer<typeof TokenStatus>;

/** GET /api/refresh-access-token; the response also sets the cookie authToken. */
export const RefreshedToken = z.object({ accessToken: z.string() });
export type RefreshedToken = z.infer<typeof RefreshedToken>;

export const Merchant = z.object({
  merchant_name: z.string(),
  signup_url: z.string(),
  status: z.enum(['applied', 'pended', 'in-review', 'approved', 'declined', 'boarded']),
});
export type Merchant = z.infer<typeof Merchant>;
export type MerchantStatus = Merchant['status'];
export const MerchantLog = z.object({ event: z.string(), created_at: z.string() });
export type MerchantLog = z.infer<typeof MerchantLog>;
/** GET /api/terminals: a list of these. */
export const Device = z.object({ terminal_id: z.string(), terminal_name: z.string() });
export type Device = z.infer<typeof Device>;

/** GET /api/token/get-merchant */
export const GetMerchant = z.object({ merchant: z.nullable(Merchant) });
export type GetMerchant = z.infer<typeof GetMerchant>;
/** GET /api/token/get-merchant-data */
export const MerchantData = z.object({
  merchant: z.nullable(Merchant),
  devices: z.array(Device),
  logs: z.array(MerchantLog),
});
export type MerchantData = z.infer<typeof MerchantData>;
export type Colleague = { name: string; role: StaffRole };
/**
 * Written by the Worker into the merchant app's page (`<script id="app-view" type="application/json">`), to show the
 * right screen before any call: sign-up without a merchant record, merchant without terminals, or the shell.
 */
export type AppView = {
  gate: 'sign-up' | 'merchant' | 'shell';
  data: MerchantData;
  /** The logged-in user; '' for unknown values, and for both name and email in a support view. */
  person: { name: string; email: string; role: StaffRole };
  support: { phone: string; email: string };
  /** The user's rights at page load, which determine the offered actions. */
  may: readonly StaffRight[];
  /** For each role, the colleague who logged in last, to ask for an action that the user may not take. */
  colleagues: readonly Colleague[];
  /** True while the account's setup checklist is shown. */
  isNew: boolean;
  /** The account's IANA time zone for display; '' before sign-up, when the browser's zone is used. */
  timeZone: string;
};

/** POST /api/token/setup-merchant, body `{ dbaName }` */
export const SetUpMerchant = z.object({
  merchant: Merchant,
  merchantToToken: z.object({ hub_id: z.number(), merchant_number: z.string() }),
});
export type SetUpMerchant = z.infer<typeof SetUpMerchant>;

/** GET /app_url */
export const AppAddress = z.object({ appUrl: z.string() });

/** Returns the onboarding stage: no merchant account, an account without terminals, or ready. */
export function gateOf({ merchant, devices }: MerchantData): AppView['gate'] {
  if (!merchant) return 'sign-up';
  return devices.length > 0 ? 'shell' : 'merchant';
}
