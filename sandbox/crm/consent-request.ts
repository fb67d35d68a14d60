import { crmApp, productScopes } from '../credentials.ts';
import type { World } from '../world.ts';
import { optionalScopes } from './oauth-tokens.ts';

export type Fields = Record<string, string | undefined>;

/** The product's consent request, checked. */
export type ConsentRequest = {
  redirectUri: string;
  scopes: string[];
  optionalScopes: string[];
  state: string | undefined;
  codeChallenge: string | null;
};

/** Shown on the page itself: never redirect to an address that is not known to be the product's. */
export class ConsentProblem extends Error {}

const words = (text: string | undefined) => (text ?? '').split(/\s+/).filter((word) => word !== '');

function checkRedirect(world: World, text: string | undefined): string {
  if (!text) throw new ConsentProblem('The redirect_uri is missing.');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new ConsentProblem('The redirect_uri is not an address.');
  if (/^[\d.]+$|^\[/.test(url.hostname))
    throw new ConsentProblem('The redirect_uri names an IP address. Use localhost for local development.');
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && url.hostname === 'localhost'))
    throw new ConsentProblem('The redirect_uri must use https; only localhost may use http.');
  const registered = `${world.productUrl}/oauth`;
  if (text !== registered)
    throw new ConsentProblem(`The redirect_uri is not registered for this app. It must be exactly ${registered}.`);
  return text;
}

/** All required scopes and no other. */
function checkScopes(fields: Fields): string[] {
  const asked = words(fields.scope);
  const required: readonly string[] = productScopes;
  const missing = required.filter((scope) => !asked.includes(scope));
  if (missing.length > 0)
    throw new ConsentProblem(`The app requires scopes that were not asked for: ${missing.join(', ')}.`);
  const unknown = asked.filter((scope) => !required.includes(scope));
  if (unknown.length > 0)
    throw new ConsentProblem(`The app does not declare these scopes as required: ${unknown.join(', ')}.`);
  return [...new Set(asked)];
}

/**
 * [documented] They come in a field of their own; one that the app does not declare fails the authorisation for everybody.
 * Those that were ticked off on the page are left out.
 */
function checkOptionalScopes(fields: Fields): string[] {
  const asked = [...new Set(words(fields.optional_scope))];
  const unknown = asked.filter((scope) => !optionalScopes.includes(scope));
  if (unknown.length > 0)
    throw new ConsentProblem(`The app does not declare these scopes as optional: ${unknown.join(', ')}.`);
  return fields.scopes_chosen === undefined ? asked : asked.filter((scope) => fields[`grant ${scope}`] !== undefined);
}

function checkChallenge(fields: Fields): string | null {
  if (fields.code_challenge === undefined) {
    if (fields.code_challenge_method === undefined) return null;
    throw new ConsentProblem('There is a code_challenge_method without a code_challenge.');
  }
  if (fields.code_challenge_method !== 'S256') throw new ConsentProblem('The code_challenge_method must be S256.');
  if (!/^[\w-]{43}$/.test(fields.code_challenge))
    throw new ConsentProblem('The code_challenge is not a SHA-256 hash in base64url.');
  return fields.code_challenge;
}

/** Throws a ConsentProblem that names the error in the link. */
export function readConsentRequest(world: World, fields: Fields): ConsentRequest {
  if (fields.client_id !== crmApp.clientId) throw new ConsentProblem('The client_id is missing or belongs to no app.');
  return {
    redirectUri: checkRedirect(world, fields.redirect_uri),
    scopes: checkScopes(fields),
    optionalScopes: checkOptionalScopes(fields),
    state: fields.state,
    codeChallenge: checkChallenge(fields),
  };
}
