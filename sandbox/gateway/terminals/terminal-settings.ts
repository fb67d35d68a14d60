import { z } from 'zod';
import { findApplication } from '#sandbox/boarding/applications';
import { hubs } from '#sandbox/credentials';
import type { World } from '#sandbox/world';
import { DuplicateSettings, duplicateSettingsOf } from '../duplicates.ts';
import { parseBody } from '../sale.ts';
import { success } from '../wire.ts';
import type { Terminal } from './terminals.ts';

/** The settings by which the product identifies the terminal of a new API key. */
export function terminalSettings(world: World, terminal: Terminal) {
  const hub = hubs.find((candidate) => candidate.hubId === terminal.hub_id);
  return success('terminal-settings', {
    payloadType: 'terminal-settings',
    'terminal-settings': {
      'merchant-id': terminal.merchant_id,
      'merchant-name': findApplication(world, terminal.merchant_id)?.dba_name ?? hub?.name,
      'terminal-id': terminal.terminal_id,
      'terminal-name': terminal.name,
      'commerce-type': terminal.channel === 'ecommerce' ? 'ECOMMERCE' : 'RETAIL',
      'time-zone': hub?.timeZone ?? 'America/New_York',
      'batch-time-utc': '05:00',
      'enable-auto-close-batch': 'false',
      'enable-tip': 'false',
      'business-phone': '3175550142',
    },
  });
}

const RenameBody = z.object({ 'terminal-settings': z.object({ 'terminal-name': z.string().trim().min(1).max(60) }) });

export function renameTerminal(world: World, terminal: Terminal, body: unknown) {
  const name = parseBody(RenameBody, body)['terminal-settings']['terminal-name'];
  world.store.run('UPDATE terminals SET name = ? WHERE terminal_id = ?', name, terminal.terminal_id);
  return terminalSettings(world, { ...terminal, name });
}

const duplicatesAnswer = (settings: DuplicateSettings) =>
  success('duplicates', {
    payloadType: 'check-duplicate-transaction-settings',
    'check-duplicate-transaction-settings': settings,
  });

export const duplicateSettings = (terminal: Terminal) => duplicatesAnswer(duplicateSettingsOf(terminal));

const DuplicateSettingsBody = z.object({ 'check-duplicate-transaction-settings': DuplicateSettings });

export function changeDuplicateSettings(world: World, terminal: Terminal, body: unknown) {
  const settings = parseBody(DuplicateSettingsBody, body)['check-duplicate-transaction-settings'];
  world.store.run(
    'UPDATE terminals SET duplicates = ? WHERE terminal_id = ?',
    JSON.stringify(settings),
    terminal.terminal_id,
  );
  return duplicatesAnswer(settings);
}
