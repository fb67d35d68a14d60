import { PayerLanguageSetting } from '#shared/contracts/payer-language';
import { PayerLanguageBody } from '#shared/contracts/payer-language-request';
import { setPayerLanguage, viewPayerLanguage } from '#worker/domain/pay-page/payer-language';
import { type Routes, route, type StaffRequest } from '#worker/http/routes';

/** The language of payers who tell none themselves. */
export const payerLanguageRoutes: Routes = {
  'GET /api/payer-language': route({
    who: 'staff: oversee',
    summary: 'Show the default language for payers',
    answers: { 200: PayerLanguageSetting },
    handle: async ({ c, deps, merchant: you }) => c.json(await viewPayerLanguage(deps, you)),
  }),
  'PUT /api/payer-language': route({
    who: 'staff: configure',
    summary: 'Set the default language for payers',
    body: PayerLanguageBody,
    answers: { 200: PayerLanguageSetting },
    handle: putPayerLanguage,
  }),
};

async function putPayerLanguage({
  c,
  deps,
  merchant: you,
  body,
}: StaffRequest<typeof PayerLanguageBody>): Promise<Response> {
  return c.json(await setPayerLanguage(deps, you, body.language));
}
