import { CARDS, cardToken, compareSales, DECLINED, idOf, makeId, saleBody, sell } from './gateway-sales.ts';
import { type Question, unknown, yesIf } from './question.ts';
import { at, type Reply, type Talk } from './talk.ts';

/** The vault's token to which a response links; empty if it links to none. */
function tokenOf({ json }: Reply): string {
  const links = JSON.parse(at(json, 'links') || '[]') as unknown[];
  return at(
    links.find((link) => at(link, 'rel') === 'token'),
    'id',
  );
}

const keepCard = async (talk: Talk, amount?: string): Promise<Reply> => {
  const jwt = await cardToken(talk, CARDS.one);
  return sell(talk, { jwt, invoice: makeId(), keepsCard: true, ...(amount !== undefined && { amount }) });
};

/** Throws an Error if the provider gives no token, since nothing else can be asked then. */
async function storeCard(talk: Talk): Promise<string> {
  const sale = await keepCard(talk);
  const token = tokenOf(sale);
  if (token === '') throw new Error(`no token: the sale answers ${sale.status}`);
  return token;
}

const vault = (talk: Talk, method: 'GET' | 'DELETE', token: string) =>
  talk.ask(method, `/rest/v2/tokens/${encodeURIComponent(token)}`);

const charge = (talk: Talk, card: string, invoice = makeId(), headers: Record<string, string> = {}) =>
  talk.ask('POST', '/rest/v2/transactions', { headers, body: { ...saleBody(invoice), card } });

const isApproved = (reply: Reply) => reply.status === 200 && idOf(reply) !== '';

/** Questions about cards on file. Each deletes the tokens that it has created. */
export const storedCardQuestions: Question[] = [
  {
    id: 'sale-gives-a-token',
    claim: 'A sale with create-token links to a token that the vault shows as active, with the last month of its card.',
    writes: true,
    async look(talk) {
      const sale = await keepCard(talk);
      const token = tokenOf(sale);
      if (token === '') return yesIf(false, `${sale.status}, no link to a token`);
      const { status, json } = await vault(talk, 'GET', token);
      await vault(talk, 'DELETE', token);
      const cardStatus = at(json, 'payload', 'tokenResponse', 'status');
      const expiry = at(json, 'payload', 'tokenResponse', 'exp-date');
      return yesIf(
        status === 200 && cardStatus.toUpperCase() === 'ACTIVE' && /^\d{4}$/.test(expiry),
        `${status}, status “${cardStatus}”, exp-date of ${expiry.length} characters`,
      );
    },
    yes: 'Nothing.',
    no: 'No card can be kept: leave MERCHANT_INITIATED_SALES empty, and correct worker/vendors/clearent/.',
  },
  {
    id: 'look-up-names-the-token',
    claim: 'A look-up of a sale by its id links to the token that the sale created.',
    writes: true,
    async look(talk) {
      const sale = await keepCard(talk);
      const token = tokenOf(sale);
      if (token === '') return unknown(`the sale answers ${sale.status}`);
      const reply = await talk.ask('GET', `/rest/v2/transactions?id=${idOf(sale)}`);
      await vault(talk, 'DELETE', token);
      return yesIf(tokenOf(reply) === token, `${reply.status}`);
    },
    yes: 'Nothing.',
    no: 'Nothing: a card is not kept if the answer to its sale is lost. Its token stays in the vault without use.',
  },
  {
    id: 'declined-sale-gives-no-token',
    claim: 'A declined sale with create-token creates no token.',
    writes: true,
    async look(talk) {
      const sale = await keepCard(talk, DECLINED);
      if (sale.status !== 402) return unknown(`the sale is not declined: ${sale.status}`);
      const token = tokenOf(sale);
      if (token !== '') await vault(talk, 'DELETE', token);
      return yesIf(token === '', token === '' ? 'no link to a token' : 'a link to a token');
    },
    yes: 'Nothing.',
    no: 'Declined cards stay in the vault without use: ask the provider to delete tokens that were never charged.',
  },
  {
    id: 'same-card-gets-a-new-token',
    claim: 'A card that is stored twice has two tokens.',
    writes: true,
    async look(talk) {
      const [first, second] = [await storeCard(talk), await storeCard(talk)];
      for (const token of new Set([first, second])) await vault(talk, 'DELETE', token);
      return yesIf(first !== second, first === second ? 'both sales link to one token' : 'two tokens');
    },
    yes: 'Nothing.',
    no: 'Nothing: a token that several customers share is deleted with the last of their cards.',
  },
  {
    id: 'token-is-charged-at-each-terminal',
    claim: 'A token can be charged at another terminal of the merchant.',
    writes: true,
    async look(talk) {
      const headers = { 'api-key': talk.input('PROBE_GATEWAY_OTHER_KEY') };
      const token = await storeCard(talk);
      const sale = await charge(talk, token, makeId(), headers);
      await vault(talk, 'DELETE', token);
      return yesIf(isApproved(sale), `${sale.status}`);
    },
    yes: 'Nothing.',
    no: 'Cards are charged at the terminal that stored them; when a clinic replaces it, its payers have to keep their cards again.',
  },
  {
    id: 'token-sales-are-compared',
    claim: 'check-field answers a second sale with a token, of the same invoice and amount, with the first.',
    writes: true,
    async look(talk) {
      const token = await storeCard(talk);
      const invoice = makeId();
      const first = await charge(talk, token, invoice);
      const second = await charge(talk, token, invoice);
      await vault(talk, 'DELETE', token);
      return compareSales(first, second, 'same');
    },
    yes: 'The second barrier against a double charge works for stored cards, too.',
    no: 'Only our own index keeps an invoice from being charged twice with a stored card: contact the provider before MERCHANT_INITIATED_SALES is confirmed.',
  },
  {
    id: 'deleted-token-is-told',
    claim: 'The vault does not show a deleted token as active.',
    writes: true,
    async look(talk) {
      const token = await storeCard(talk);
      const deletion = await vault(talk, 'DELETE', token);
      if (deletion.status >= 400) return yesIf(false, `the deletion answers ${deletion.status}`);
      const { status, json } = await vault(talk, 'GET', token);
      const shown = at(json, 'payload', 'tokenResponse', 'status');
      return yesIf(
        [204, 404].includes(status) || (status === 200 && shown !== '' && shown.toUpperCase() !== 'ACTIVE'),
        `${status}${shown && `, status “${shown}”`}`,
      );
    },
    yes: 'Nothing.',
    no: 'A removed card could come back: leave MERCHANT_INITIATED_SALES empty, and ask the provider.',
  },
  {
    id: 'deleted-token-is-refused',
    claim: 'A sale with a deleted token is declined or refused.',
    writes: true,
    async look(talk) {
      const token = await storeCard(talk);
      await vault(talk, 'DELETE', token);
      const sale = await charge(talk, token);
      return sale.status >= 500 ? unknown(`${sale.status}`) : yesIf(!isApproved(sale), `${sale.status}`);
    },
    yes: 'Nothing.',
    no: 'Only our own check of the status keeps a removed card from being charged: ask the provider.',
  },
];
