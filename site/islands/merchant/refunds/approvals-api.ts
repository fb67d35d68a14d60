import { ReversalReply } from '#shared/contracts/batches';
import { Approvals } from '#shared/contracts/proof';
import type { DecisionBody } from '#shared/contracts/proof-request';
import { readWith } from '#site/islands/ui/api/read-with.ts';
import { api, sendJson } from '../api/api.ts';

const readApprovals = readWith(Approvals, ({ approvals }) => approvals);
const readReply = readWith(ReversalReply);

export const fetchApprovals = () => api.call('/api/approvals', readApprovals);
/** The gateway's answer to an approval; null: refused. */
export const decide = (id: string, decision: DecisionBody['decision']) =>
  api.call<{ reply: ReversalReply | null }>(
    `/api/approvals/${encodeURIComponent(id)}`,
    (body) => {
      if (decision === 'refuse') return { reply: null };
      const reply = readReply(body);
      return reply && { reply };
    },
    sendJson('POST', { decision }),
  );
