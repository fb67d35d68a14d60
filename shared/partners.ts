/** Names of the CRM and the card provider, on the public site and in messages. */
export const partners = { crm: 'HubSpot', cards: 'Clearent' } as const;

/** The card provider's browser script, below the gateway's address. */
export const PROVIDER_SCRIPT_PATH = '/js-sdk/js/clearent-host.js';

/** The card provider's hosts of each environment. */
export const providerHosts = {
  staging: ['gateway-sb.clearent.net', 'boarding-sb.clearent.net'],
  production: ['gateway.clearent.net', 'boarding.clearent.net', 'reporting.clearent.net'],
};
