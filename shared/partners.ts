/** Names of the CRM and the card provider, on the public site and in messages. */
export const partners = { crm: 'HubSpot', cards: 'Clearent' } as const;
