import { both } from './both.ts';

/** What stands around every page of a payer. */
export const frameWords = {
  via: both('via {operator}', 'a través de {operator}'),
  questions: both('Questions about this bill?', '¿Preguntas sobre esta factura?'),
  terms: both('Terms of Service', 'Términos del servicio'),
  privacy: both('Privacy Policy', 'Política de privacidad'),
  cookiePolicy: both('Cookie Policy', 'Política de cookies'),
};
