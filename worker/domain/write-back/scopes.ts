/** What a grant must have before anything is recorded; the app declares both as optional. */
export const WRITE_SCOPE = 'crm.objects.commercepayments.write';
