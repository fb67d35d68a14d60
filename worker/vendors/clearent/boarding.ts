import * as z from 'zod/mini';
import { plainText } from '#shared/text/plain-text';
import type { Boarding } from '../boarding-port.ts';
import { parseJson } from '../http.ts';
import { createApplication } from './application.ts';
import { listDeposits } from './deposits.ts';
import { describeTerminal } from './terminal-settings.ts';

export type BoardingOptions = {
  gatewayBase: string;
  boardingBase: string;
  /** Of the reports of what was paid out; empty: there are none. */
  reportingBase: string;
  /** Hosts of set-up pages besides the boarding service's own domain. */
  linkHosts: string[];
  accessKey: string;
  hierarchyNodeKey: string;
  mccCode: string;
  timeoutMs: number;
};

const text = z._default(z.catch(z.pipe(z.string(), z.transform(plainText)), ''), '');
const Event = z.object({
  event: z.string().check(z.minLength(1), z.maxLength(60)),
  merchantId: z.coerce.string(),
  payload: z._default(
    z.object({
      terminals: z._default(
        z.array(z.object({ apiKey: z.string().check(z.minLength(1)), publicKey: text, name: text })),
        [],
      ),
    }),
    { terminals: [] },
  ),
});

/** The provider's boarding service, and the gateway call that checks a terminal's key. Payers need none of its calls. */
export const createClearentBoarding = (options: BoardingOptions): Boarding => ({
  createApplication: (request) => createApplication(options, request),

  readEvent(raw) {
    const parsed = Event.safeParse(parseJson(raw));
    if (!parsed.success) return null;
    const { event, merchantId, payload } = parsed.data;
    return { event, merchantNumber: merchantId, terminals: payload.terminals, raw };
  },

  listDeposits: (merchantNumber, day) => listDeposits(options, merchantNumber, day),

  describeTerminal: (apiKey) => describeTerminal(options, apiKey),
});
