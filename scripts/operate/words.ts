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
    ...clinics.map((one) => [
      String(one.clinic),
      one.account === null ? '-' : String(one.account),
      plain(one.name),
      String(one.schema),
      when(one.heardAt),
      size(one.bytes),
      String(one.needsHuman),
      when(one.failingSince),
      one.erasedAt !== null ? `erased ${when(one.erasedAt)}` : one.account === null ? 'being restored' : '',
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
  const behind = live.filter((one) => one.schema < schema).length;
  return [...lines, '', `${live.length} clinics, ${behind} behind migration ${schema}`].join('\n');
}

/** One clinic's figures, one per line. */
export function inspectText(one: InspectedClinic): string {
  const counted = (some: Record<string, number>) =>
    Object.entries(some)
      .map(([name, n]) => `${name} ${n}`)
      .join(', ') || 'none';
  return [
    `clinic ${one.clinic} of account ${one.account ?? '-'}: ${plain(one.name)}`,
    `founded ${when(one.foundedAt)}, heard ${when(one.heardAt)}, at migration ${one.schema}, ${size(one.bytes)}`,
    `CRM: ${one.isConnected ? 'connected' : 'not connected'}${one.failingSince ? `, no answer since ${when(one.failingSince)}` : ''}`,
    `payments: ${counted(one.payments)}; ${one.needsHuman} before a person, last taken ${when(one.lastPaymentAt)}`,
    `online payments: ${one.isCatchingUp ? 'stand still until the card provider’s transactions were read' : 'on'}`,
    `dumped: ${when(one.dumpedAt)}`,
    `restored: ${when(one.restoredAt)}; read from the card provider up to: ${Object.entries(one.readUntil)
      .map(([method, at]) => `${method} ${when(at)}`)
      .join(', ')}`,
    `mails due: ${one.mailsDue}, the oldest of ${when(one.oldestMailAt)}`,
    `ledger: ${formatMoney(one.ledgerCents, 'USD')}`,
    `rows: ${counted(one.counts)}`,
  ].join('\n');
}

/** The result of a hand-over, and the remaining steps for the clinic. */
export function handOverText(email: string, kind: 'made' | 'invited', others: string[]): string {
  const done =
    kind === 'made'
      ? `${plain(email)} is an administrator now.`
      : `${plain(email)} is not in the team, and was invited as an administrator by mail, for seven days.`;
  const left = others.length === 0 ? 'There is no other.' : `Also administrators: ${others.map(plain).join(', ')}.`;
  return `${done} ${left}`;
}

/** The next steps for a person who has lost their passkey or PIN. */
export const unlockText = (email: string): string =>
  `${plain(email)} has neither passkey nor PIN now and is logged out everywhere: they log in by a code by mail, and set new
ones under Account. They and the clinic’s administrators are told by mail. Is the mailbox lost too: hand-over.`;

/** Dumps, one per line, oldest first. */
export const dumpsText = (dumps: DumpList['dumps']): string =>
  dumps.length === 0
    ? 'no dumps'
    : dumps
        .map(({ folder, at, rows, acts, ledgerCents }) => {
          const torn = acts > 0 ? `, ${acts} acts while it was written` : '';
          return `${folder}  ended ${when(at)}, ${rows} rows, ledger ${formatMoney(ledgerCents, 'USD')}${torn}`;
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
    ...erased.map((one) => [one.name, `${one.found}`, `${one.erased}`, `${one.found - one.erased}`]),
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...rows.map((row) => (row[at] ?? '').length)));
  const lines = rows.map((row) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  '),
  );
  const reasons = erased.filter(({ found, erased: n }) => n < found).map(({ name, stays }) => `${name}\n  ${stays}`);
  return [...lines, ...(reasons.length > 0 ? ['', 'Why the rest stays', ...reasons] : [])].join('\n');
}
