/** Answers of the merchant's session and onboarding calls. */

/** GET /api/token/status/{authToken}; `current` with a bearer names the caller's own token. */
export type TokenStatus = {
  data: { user: string; user_id: number; token_type: string; hub_domain: string; scopes: string[] };
};

/** GET /api/refresh-access-token; the cookie authToken is set in the same answer. */
export type RefreshedToken = { accessToken: string };

export type MerchantStatus = 'applied' | 'pended' | 'in-review' | 'approved' | 'declined' | 'boarded';
export type Merchant = { merchant_name: string; signup_url: string; status: MerchantStatus };
export type MerchantLog = { event: string; created_at: string };
export type Device = { terminal_id: string; terminal_name: string };

/** GET /api/token/get-merchant */
export type GetMerchant = { merchant: Merchant | null };
/** GET /api/token/get-merchant-data */
export type MerchantData = { merchant: Merchant | null; devices: Device[]; logs: MerchantLog[] };
/** POST /api/token/setup-merchant, body `{ dbaName }` */
export type SetUpMerchant = { merchant: Merchant; merchantToToken: { hub_id: number; merchant_number: string } };

/**
 * What the Worker writes into the merchant app's page (`<script id="app-view" type="application/json">`), so that the
 * right screen stands before anything is asked: no merchant record, a merchant without devices, or the shell.
 */
export type AppView = {
  gate: 'sign-up' | 'merchant' | 'shell';
  data: MerchantData;
  support: { phone: string; email: string };
};
