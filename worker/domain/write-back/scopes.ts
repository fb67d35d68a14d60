/** What a grant must have before anything is recorded; the app declares both as optional. */
export const WRITE_SCOPE = 'crm.objects.commercepayments.write';
export const WRITE_SCOPES = ['crm.objects.commercepayments.read', WRITE_SCOPE];
