import type { RegistrationOutcome, TerminalRef } from '../gateway-port.ts';
import type { ClearentCall } from './http.ts';
import { isDomainEnabled } from './wire.ts';

const DOMAINS_PATH = '/rest/v2/apple/merchants/domains';
/** Longer than for other calls, because the gateway asks Apple, which reads a file at the host. */
const TIMEOUT_MS = 20_000;

/** Register a host, and read the list back, because only the list shows that the host is enabled. */
export async function registerForApplePay(
  call: ClearentCall,
  terminal: TerminalRef,
  host: string,
): Promise<RegistrationOutcome> {
  const registration = await call(terminal, DOMAINS_PATH, {
    method: 'POST',
    body: { domainNames: [host] },
    timeoutMs: TIMEOUT_MS,
  });
  // A host that is already registered may be refused, or the response may be lost, so the list decides.
  const list = await call(terminal, DOMAINS_PATH);
  if (list.kind === 'answer' && list.status === 200 && isDomainEnabled(list.envelope, host))
    return { kind: 'registered' };
  if (registration.kind === 'sealed') return { kind: 'refused', message: 'the key is sealed' };
  if (registration.kind === 'lost' || registration.status >= 500) return { kind: 'unavailable' };
  if (registration.status === 200) return { kind: 'refused', message: 'the domain is not enabled yet' };
  return { kind: 'refused', message: registration.detail.message || `HTTP ${registration.status}` };
}
