import type {
  DumpList,
  InspectedClinic,
  ListedClinic,
  PersonErasedPlace,
  PersonPlace,
} from '#shared/contracts/operators/operate';
import { formatMoney } from '#shared/money';

const when = (at: number | null): string => (at ? new Date(at).toISOString().slice(0, 16).replace('T', ' ') : '-');
/** Removes control characters, since a clinic's name comes from the CRM and could control the terminal. */
const plain = (text: string) => text.replaceAll(/\p{C}/gu, ' ');
const size = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** The directory as a table, with the number of clinics on an older schema. */
export function listText(clinics: ListedClinic[], schema: number): string {
  const rows = [
    ['clinic', 'account', 'name', 'schema', 'heard', 'size', 'waits', 'CRM fails since', ''],
    ...clinics.map((clinic) => [
      String(clinic.clinic),
      clinic.account === null ? '-' : String(clinic.account),
      plain(clinic.name),
      String(clinic.schema),
      when(clinic.heardAt),
      size(clinic.bytes),
      String(clinic.needsHuman),
      when(clinic.failingSince),
      clinic.erasedAt !== null ? `erased ${when(clinic.erasedAt)}` : clinic.account === null ? 'being restored' : '',
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const lines = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const live = clinics.filter(({ erasedAt }) => erasedAt === null);
  const behind = live.filter((clinic) => clinic.schema < schema).length;
  return [...lines, '', `${live.length} clinics, ${behind} behind migration ${schema}`].join('\n');
}

/** One clinic's view, one per line. */
export function inspectText(view: InspectedClinic): string {
  const formatCounts = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ') || 'none';
  return [
    `clinic ${view.clinic} of account ${view.account ?? '-'}: ${plain(view.name)}`,
    `founded ${when(view.foundedAt)}, heard ${when(view.heardAt)}, at migration ${view.schema}, ${size(view.bytes)}`,
    `CRM: ${view.isConnected ? 'connected' : 'not connected'}${view.failingSince ? `, no answer since ${when(view.failingSince)}` : ''}`,
    `payments: ${formatCounts(view.payments)}; ${view.needsHuman} need a person, last taken ${when(view.lastPaymentAt)}`,
    `online payments: ${view.isCatchingUp ? 'paused until the card provider’s transactions have been read' : 'on'}`,
    `dumped: ${when(view.dumpedAt)}`,
    `restored: ${when(view.restoredAt)}; read from the card provider up to: ${Object.entries(view.readUntil)
      .map(([method, at]) => `${method} ${when(at)}`)
      .join(', ')}`,
    `mails due: ${view.mailsDue}, the oldest of ${when(view.oldestMailAt)}`,
    `ledger: ${formatMoney(view.ledgerCents, 'USD')}`,
    `rows: ${formatCounts(view.counts)}`,
  ].join('\n');
}

/** The result of a hand-over, and the remaining steps for the clinic. */
export function handOverText(email: string, kind: 'made' | 'invited', others: string[]): string {
  const done =
    kind === 'made'
      ? `${plain(email)} is an administrator now.`
      : `${plain(email)} is not in the team, and was invited as an administrator by mail, for seven days.`;
  const rest = others.length === 0 ? 'There is no other.' : `Also administrators: ${others.map(plain).join(', ')}.`;
  return `${done} ${rest}`;
}

/** The next steps for a person who has lost their passkey or PIN. */
export const unlockText = (email: string): string =>
  `${plain(email)} now has neither passkey nor PIN and is logged out everywhere: they log in with a mailed code and set
new ones under Account. They and the clinic’s administrators are notified by mail. If the mailbox is lost too: hand-over.`;

/** Dumps, one per line, oldest first. */
export const dumpsText = (dumps: DumpList['dumps']): string =>
  dumps.length === 0
    ? 'no dumps'
    : dumps
        .map(({ folder, at, rows, acts, ledgerCents }) => {
          const note = acts > 0 ? `, ${acts} acts while it was written` : '';
          return `${folder}  ended ${when(at)}, ${rows} rows, ledger ${formatMoney(ledgerCents, 'USD')}${note}`;
        })
        .join('\n');

/** The stored data about a person, by place and row, with readable times. */
export function shownText(holdings: PersonPlace[]): string {
  return holdings
    .map(({ name, rows, erasable, stays }) =>
      [
        `${name}: ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}, ${erasable} may be erased now`,
        ...rows.map((row) => `    ${Object.entries(row).map(fieldText).filter(Boolean).join(', ')}`),
        ...(erasable < rows.length ? [`  stays: ${stays}`] : []),
      ].join('\n'),
    )
    .join('\n\n');
}

function fieldText([name, value]: [string, unknown]): string {
  if (value === null || value === '') return '';
  const isTime = /_at$/.test(name) && typeof value === 'number';
  return `${name} ${isTime ? new Date(value).toISOString().slice(0, 16).replace('T', ' ') : plain(String(value))}`;
}

/** The numbers of erased and remaining rows as a table, with the reasons below. */
export function erasedText(erased: PersonErasedPlace[]): string {
  const rows = [
    ['place', 'rows', 'erased', 'stay'],
    ...erased.map((place) => [place.name, `${place.found}`, `${place.erased}`, `${place.found - place.erased}`]),
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const lines = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
  const reasons = erased.filter(({ found, erased: n }) => n < found).map(({ name, stays }) => `${name}\n  ${stays}`);
  return [...lines, ...(reasons.length > 0 ? ['', 'Why the rest stays', ...reasons] : [])].join('\n');
}
