import { html } from 'hono/html';
import { crmApp, type HubCredentials } from '../credentials.ts';
import type { World } from '../world.ts';
import { page } from './page.ts';

/** Fields of the link that the form passes on unchanged. */
const PASSED_FIELDS = [
  'client_id',
  'redirect_uri',
  'scope',
  'optional_scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const;

type Fields = Record<string, string | undefined>;

const hiddenFields = (fields: Fields) =>
  PASSED_FIELDS.map((name) =>
    fields[name] === undefined ? '' : html`<input type="hidden" name="${name}" value="${fields[name]}" />`,
  );

const hubChoice = (hub: HubCredentials, selectedHub: HubCredentials | undefined) => {
  const [name, domain] = [`hub-${hub.hubId}`, `domain-${hub.hubId}`];
  return html`<label class="choice"><input type="radio" name="hub_id" value="${hub.hubId}" required aria-labelledby="${name}" aria-describedby="${domain}" ${hub === selectedHub ? 'checked' : ''} /><span id="${name}">${hub.name}</span> <small id="${domain}">${hub.domain}</small></label>`;
};

const userGroup = (hub: HubCredentials, selectedHub: HubCredentials | undefined) =>
  html`<optgroup label="${hub.name}" data-hub="${hub.hubId}">${hub.users.map(
    (user, index) =>
      html`<option value="${user.userId}" ${hub === selectedHub && index === 0 ? 'selected' : ''}>${user.email} (${user.role})</option>`,
  )}</optgroup>`;

const optionalScopes = (fields: Fields) => {
  const requested = (fields.optional_scope ?? '').split(/\s+/).filter(Boolean);
  if (requested.length === 0) return '';
  const choice = (scope: string) =>
    html`<label class="choice"><input type="checkbox" name="grant ${scope}" checked /><code>${scope}</code></label>`;
  return html`<fieldset><legend>It may also</legend><input type="hidden" name="scopes_chosen" value="1" />${requested.map(choice)}</fieldset>`;
};

/** `mismatchedHub`: the chosen account, if the chosen user belongs to another account. */
export function consentPage(
  accounts: HubCredentials[],
  fields: Fields,
  action: string,
  mismatchedHub?: HubCredentials,
) {
  const selectedHub = mismatchedHub ?? accounts[0];
  return page(
    'Connect an account',
    html`<p><strong>${crmApp.name}</strong> asks to read an account of the CRM.</p>
      <p data-sandbox>No password is asked here: be whoever you want.</p>
      ${mismatchedHub ? html`<p class="banner" role="alert">That user does not belong to ${mismatchedHub.name}. Choose one of its users.</p>` : ''}
      <form method="post" action="${action}" data-consent>
        ${hiddenFields(fields)}
        <fieldset><legend>Account</legend>${accounts.map((hub) => hubChoice(hub, selectedHub))}</fieldset>
        <p class="field"><label for="user">User</label><select id="user" name="user_id" required>${accounts.map((hub) => userGroup(hub, selectedHub))}</select></p>
        <div class="actions"><button name="decision" value="grant">Grant access</button><button class="secondary" name="decision" value="deny">Deny</button></div>
        ${optionalScopes(fields)}
        <details><summary>What it asks for</summary><ul>${(fields.scope ?? '').split(/\s+/).map((scope) => html`<li><code>${scope}</code></li>`)}</ul></details>
        <details data-sandbox><summary>Let it fail instead</summary><p>The product is told of an error that nobody chose.</p><button class="secondary" name="decision" value="server_error">Answer server_error</button></details>
      </form>
      <script src="/_sandbox/consent.js" type="module"></script>`,
  );
}

export const consentProblemPage = (world: World, reason: string) =>
  page(
    'This link cannot be used',
    html`<p class="banner" role="alert">${reason}</p>
      <p>Nobody is sent back to the app with this error, as the CRM does it: the address might be somebody else’s.</p>
      <p><a href="${world.productUrl}/">Back to the product</a></p>`,
  );
