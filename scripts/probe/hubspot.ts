import { parseCents } from '#shared/money';
import { type Question, unknown, yesIf } from './question.ts';
import { at, type Reply, type Talk } from './talk.ts';

const OBJECTS = '/crm/objects/2026-09';
const PROPERTIES = '/crm/properties/2026-09/invoices';
const COMPUTED = ['hs_number', 'hs_amount_billed', 'hs_balance_due'];
const MAX_POLLS = 6;
const OAUTH = '/oauth/2026-09';
/** More than an account's limit of five per second. */
const PARALLEL_SEARCHES = 12;

const appOf = (talk: Talk) => ({
  client_id: talk.input('HUBSPOT_CLIENT_ID'),
  client_secret: talk.input('HUBSPOT_CLIENT_SECRET'),
});
const refresh = (talk: Talk, refresh_token: string) =>
  talk.ask('POST', `${OAUTH}/token`, { form: { grant_type: 'refresh_token', ...appOf(talk), refresh_token } });

const refreshed = new WeakMap<Talk, Promise<Reply>>();
/** One refresh for all questions of a run, because a refresh may revoke the token that it used. */
function refreshOnce(talk: Talk): Promise<Reply> {
  const reply = refreshed.get(talk) ?? refresh(talk, talk.input('PROBE_HUBSPOT_REFRESH_TOKEN'));
  refreshed.set(talk, reply);
  return reply;
}

const invoiceOf = (talk: Talk) => talk.input('PROBE_HUBSPOT_INVOICE');

async function balance(talk: Talk): Promise<string> {
  const reply = await talk.ask('GET', `${OBJECTS}/invoices/${invoiceOf(talk)}?properties=hs_balance_due`);
  if (reply.status !== 200) throw new Error(`the invoice answers ${reply.status}`);
  return at(reply.json, 'properties', 'hs_balance_due');
}

/** One cent, so that the same test invoice can be reused often. */
const createRecord = (talk: Talk) =>
  talk.ask('POST', `${OBJECTS}/commerce_payments`, {
    body: {
      properties: {
        hs_initial_amount: '0.01',
        hs_initiated_date: new Date(talk.now()).toISOString(),
        hs_currency_code: 'USD',
        hs_latest_status: 'succeeded',
        hs_payment_method_type: 'card',
        hs_processor_type: 'none',
      },
      associations: [
        { to: { id: invoiceOf(talk) }, types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: 542 }] },
      ],
    },
  });

async function isLinked(talk: Talk, id: string): Promise<boolean> {
  const reply = await talk.ask('POST', '/crm/associations/2026-09/invoices/commerce_payments/batch/read', {
    body: { inputs: [{ id: invoiceOf(talk) }] },
  });
  return (
    at(reply.json, 'results').includes(`"toObjectId":${id}`) ||
    at(reply.json, 'results').includes(`"toObjectId":"${id}"`)
  );
}

export const hubspotQuestions: Question[] = [
  {
    id: 'record-moves-balance',
    claim: 'A payment record with processor none lowers the balance of an invoice in this account.',
    writes: true,
    async look(talk) {
      const before = await balance(talk);
      const created = await createRecord(talk);
      if (created.status !== 201)
        return yesIf(false, `the record is refused with ${created.status}: ${at(created.json, 'message')}`);
      const after = await balance(talk);
      return yesIf(
        (parseCents(before) ?? 0) - (parseCents(after) ?? 0) === 1,
        `the balance went from ${before} to ${after}`,
      );
    },
    yes: 'HUBSPOT_OPTIONAL_SCOPES may be set.',
    no: 'HUBSPOT_OPTIONAL_SCOPES stays empty; clinics record payments by hand from the list of payments that HubSpot lacks.',
  },
  {
    id: 'links-do-not-lag',
    claim: 'A batch read of links shows a new payment record at once.',
    writes: true,
    async look(talk) {
      const created = await createRecord(talk);
      if (created.status !== 201) return unknown(`the record is refused with ${created.status}`);
      const id = at(created.json, 'id');
      for (let poll = 1; poll <= MAX_POLLS; poll++) {
        if (await isLinked(talk, id))
          return yesIf(poll === 1, `seen at poll ${poll}, ${poll - 1} pauses of 5 s after the record`);
        await talk.pause(5000);
      }
      return yesIf(false, `not seen in ${MAX_POLLS} polls, 5 s apart`);
    },
    yes: 'Two empty reads two minutes apart are enough before a record is created again.',
    no: 'If it took longer than two minutes, lengthen the pause between two reads before HUBSPOT_OPTIONAL_SCOPES is set.',
  },
  {
    id: 'missing-ids-are-named',
    claim: 'A batch read with an unknown id answers 207 and returns the other records.',
    writes: false,
    async look(talk) {
      const body = {
        inputs: [{ id: invoiceOf(talk) }, { id: '1' }],
        properties: ['hs_number'],
        propertiesWithHistory: [],
      };
      const reply = await talk.ask('POST', `${OBJECTS}/invoices/batch/read`, { body });
      return yesIf(
        reply.status === 207 && at(reply.json, 'results', 0, 'id') !== '',
        `${reply.status}, errors ${at(reply.json, 'errors', 0, 'category')}`,
      );
    },
    yes: 'Nothing: the product expects this.',
    no: 'The product accepts any 2xx and skips missing records; mark the sandbox’s answer as seen.',
  },
  {
    id: 'lists-end-at-100',
    claim: 'A list of more than 100 is refused with 400.',
    writes: false,
    async look(talk) {
      const { status } = await talk.ask('GET', `${OBJECTS}/invoices?limit=101`);
      return yesIf(status === 400, `${status}`);
    },
    yes: 'Nothing: the product asks for 100 at most.',
    no: 'Bigger pages are possible; nothing has to change.',
  },
  {
    id: 'single-links-are-gone',
    claim: 'Version 2026-09 has no GET for the links of one record.',
    writes: false,
    async look(talk) {
      const { status } = await talk.ask('GET', `${OBJECTS}/invoices/${invoiceOf(talk)}/associations/line_items`);
      return yesIf(status === 404 || status === 405, `${status}`);
    },
    yes: 'Nothing: the product uses the batch read.',
    no: 'Nothing: the batch read does the same.',
  },
  {
    id: 'inline-links-keep-the-space',
    claim: 'Links inside an invoice are under "line items", with a space.',
    writes: false,
    async look(talk) {
      const reply = await talk.ask('GET', `${OBJECTS}/invoices/${invoiceOf(talk)}?associations=line_items`);
      const links = at(reply.json, 'associations');
      if (links === '') return unknown(`${reply.status}, no links: use an invoice with a line item`);
      return yesIf(links.includes('"line items"'), `keys: ${Object.keys(JSON.parse(links)).join(', ')}`);
    },
    yes: 'Nothing: the product reads both.',
    no: 'Nothing: the product reads both; mark the sandbox’s key as seen.',
  },
  {
    id: 'computed-are-read-only',
    claim: `${COMPUTED.join(', ')} cannot be written.`,
    writes: false,
    async look(talk) {
      const writable: string[] = [];
      for (const name of COMPUTED) {
        const reply = await talk.ask('GET', `${PROPERTIES}/${name}`);
        if (reply.status !== 200) return unknown(`${name} answers ${reply.status}`);
        if (at(reply.json, 'modificationMetadata', 'readOnlyValue') !== 'true') writable.push(name);
      }
      return yesIf(
        writable.length === 0,
        writable.length === 0 ? 'all are read-only' : `can be written: ${writable.join(', ')}`,
      );
    },
    yes: 'A balance changes by payments alone.',
    no: 'A balance may change by hand: parts freeze more often, so tell clinics before they switch them on.',
  },
  {
    id: 'paid-is-not-set-by-hand',
    claim: 'An invoice cannot be set to paid.',
    writes: true,
    async look(talk) {
      const body = { properties: { hs_invoice_status: 'paid' } };
      const reply = await talk.ask('PATCH', `${OBJECTS}/invoices/${invoiceOf(talk)}`, { body });
      return yesIf(reply.status >= 400, `${reply.status} ${at(reply.json, 'category')}`);
    },
    yes: 'Payment records are the only way to inform HubSpot.',
    no: 'A status may be set where records change nothing; a person decides whether to build that.',
  },
  {
    id: 'dead-tokens-are-told',
    claim: 'A dead refresh token is refused with 400 BAD_REFRESH_TOKEN.',
    writes: false,
    async look(talk) {
      const reply = await refresh(talk, 'a-token-that-nobody-has');
      return yesIf(
        reply.status === 400 && /BAD_REFRESH_TOKEN|invalid_grant/.test(reply.text),
        `${reply.status} ${at(reply.json, 'status')} ${at(reply.json, 'error')}`.trim(),
      );
    },
    yes: 'Nothing: the product ends such a grant.',
    no: 'Check worker/vendors/hubspot/oauth.ts: a revoked grant would be requested again and again.',
  },
  {
    id: 'dead-tokens-are-inactive',
    claim: 'Introspection of an expired token answers 200 with active false.',
    writes: false,
    async look(talk) {
      const form = { ...appOf(talk), token: 'a-token-that-nobody-has', token_type_hint: 'access_token' };
      const reply = await talk.ask('POST', `${OAUTH}/token/introspect`, { form });
      return yesIf(
        reply.status === 200 && at(reply.json, 'active') === 'false',
        `${reply.status} ${at(reply.json, 'active')}`,
      );
    },
    yes: 'Nothing: mark the sandbox’s answer as seen.',
    no: 'Nothing if it is 400: such a login fails either way; mark the observed answer in sandbox/crm/oauth.ts.',
  },
  {
    id: 'token-answer-is-whole',
    claim: 'The answer to a refresh contains access token, refresh token, seconds, account and scopes.',
    // It may revoke the token that it uses, and with it a grant that is in use.
    writes: true,
    async look(talk) {
      const reply = await refreshOnce(talk);
      if (reply.status !== 200) return unknown(`${reply.status} ${at(reply.json, 'status')}`);
      const names = ['access_token', 'refresh_token', 'expires_in', 'hub_id', 'scopes'];
      const missing = names.filter((name) => at(reply.json, name) === '');
      return yesIf(missing.length === 0, missing.length === 0 ? 'all five' : `lacks ${missing.join(', ')}`);
    },
    yes: 'Nothing.',
    no: 'Without hub_id or scopes: nothing, the introspection has them. Without one of the others no login works: check TokenReply in worker/vendors/hubspot/wire.ts.',
  },
  {
    id: 'refresh-tokens-stay',
    claim: 'A refresh returns the same refresh token again.',
    writes: true,
    async look(talk) {
      const token = talk.input('PROBE_HUBSPOT_REFRESH_TOKEN');
      const next = at((await refreshOnce(talk)).json, 'refresh_token');
      return next === ''
        ? unknown('the answer has none')
        : yesIf(next === token, next === token ? 'the same' : 'another one');
    },
    yes: 'Nothing.',
    no: 'Nothing in the product, which stores the new token; a database restored to an older state asks the clinic to log in again (docs/deploy.md).',
  },
  {
    id: 'records-stay-in-their-account',
    claim: 'A record number of one account matches no record in another.',
    writes: false,
    async look(talk) {
      const path = `${OBJECTS}/invoices/${invoiceOf(talk)}?properties=hs_number`;
      const headers = { authorization: `Bearer ${talk.input('PROBE_HUBSPOT_OTHER_TOKEN')}` };
      const [ownReply, otherReply] = [await talk.ask('GET', path), await talk.ask('GET', path, { headers })];
      if (ownReply.status !== 200 || ![200, 404].includes(otherReply.status))
        return unknown(`answers ${ownReply.status} and ${otherReply.status}`);
      const isSame = at(ownReply.json, 'createdAt') === at(otherReply.json, 'createdAt');
      return yesIf(
        otherReply.status === 404,
        otherReply.status === 404 ? 'not found there' : isSame ? 'the same record' : 'another record has the number',
      );
    },
    yes: 'Nothing: the product keys each record by account and number.',
    no: 'Nothing if another record has the number. If it is the same record, an account can read data of another: tell HubSpot, and take no payment.',
  },
  {
    id: 'search-limit-is-named',
    claim: 'A search beyond the limit answers 429 and names the limit in policyName.',
    // It changes no record, but uses up the account's search limit for that second.
    writes: true,
    async look(talk) {
      const body = { filterGroups: [], properties: ['hs_number'], limit: 1 };
      const search = () => talk.ask('POST', `${OBJECTS}/invoices/search`, { body });
      let refused: Reply | undefined;
      // On a slow connection, the searches of one round may not fall into one second.
      for (let round = 1; round <= MAX_POLLS && !refused; round++) {
        const replies = await Promise.all(Array.from({ length: PARALLEL_SEARCHES }, search));
        refused = replies.find(({ status }) => status === 429);
      }
      if (!refused) return unknown(`${MAX_POLLS} times ${PARALLEL_SEARCHES} searches at once were all answered`);
      const policy = at(refused.json, 'policyName');
      return yesIf(policy !== '', policy === '' ? '429 without a name' : `429, ${policy}`);
    },
    yes: 'Nothing: the product waits as long as that limit lasts.',
    no: 'The product waits ten seconds instead of one: SYNC_EVERY_MS may stay, a full copy of a large account takes longer.',
  },
  {
    id: 'ended-grants-are-over',
    claim: 'Revoking a refresh token answers 2xx, and the token is refused from then on.',
    writes: true,
    async look(talk) {
      const token = talk.input('PROBE_HUBSPOT_SPARE_REFRESH_TOKEN');
      const form = { ...appOf(talk), token, token_type_hint: 'refresh_token' };
      const revoked = await talk.ask('POST', `${OAUTH}/token/revoke`, { form });
      const after = await refresh(talk, token);
      return yesIf(
        revoked.status >= 200 && revoked.status < 300 && after.status === 400,
        `${revoked.status}, then ${after.status}`,
      );
    },
    yes: 'Nothing: the product ends no grant; mark the sandbox’s code as seen.',
    no: 'If a grant must end, such as after a leak, uninstall the app in that account: Settings, Integrations, Connected Apps.',
  },
];
