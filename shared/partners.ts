/** What the companies behind the two adapters are called, on the public site and in messages. */
export const partners = { crm: 'HubSpot', cards: 'Clearent' } as const;
