import { escapeHtml } from '#shared/text/escape';

/** The gateway's XML, for callers that did not ask for JSON or that a fault strikes. */

type Envelope = Record<string, unknown> & { payload?: Record<string, unknown> & { payloadType?: string } };

function element(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((each) => element(name, each)).join('');
  if (typeof value !== 'object' || value === null) return `<${name}>${escapeHtml(String(value ?? ''))}</${name}>`;
  const inner = Object.entries(value)
    .map(([key, each]) => element(key, each))
    .join('');
  return `<${name}>${inner}</${name}>`;
}

/** XML spells the type of a decline differently. */
export async function asXml(response: Response): Promise<Response> {
  const { payload = {}, ...rest }: Envelope = JSON.parse((await response.text()) || '{}');
  const { payloadType = '', ...members } = payload;
  const type = payloadType === 'error' && members.transaction ? 'errorTransaction' : payloadType;
  const body = `${Object.entries(rest)
    .map(([name, value]) => element(name, value))
    .join('')}${element('payload', members).replace('<payload>', `<payload type="${escapeHtml(type)}">`)}`;
  return new Response(`<?xml version="1.0" encoding="UTF-8"?><response>${body}</response>`, {
    status: response.status,
    headers: { 'content-type': 'application/xml' },
  });
}

export const asksForXml = (accept: string | undefined) =>
  /\bxml\b/.test(accept ?? '') && !/json|html/.test(accept ?? '');
