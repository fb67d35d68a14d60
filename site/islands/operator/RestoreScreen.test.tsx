import { render, screen } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { OperatorDumps } from '#shared/contracts/operators/operator';
import { answerWith } from '#tests/support/components/calls';
import { RestoreScreen } from './RestoreScreen.tsx';

const DUMPS: OperatorDumps = {
  account: 4711,
  name: "Maple's",
  state: 'ok',
  problems: [],
  is_first_due: false,
  dumps: [],
};
const DUMP = { folder: 'nightly/7/2026-03-04T02-00-00-000Z/', at: '2026-03-04T02:00:00.000Z', rows: 9, acts: 0 };

/** Renders the page and returns its commands, in order. */
async function commandsFor(overrides: Partial<OperatorDumps> = {}): Promise<string[]> {
  answerWith('/api/operator/clinics/7/dumps', { ...DUMPS, ...overrides });
  render(<RestoreScreen />);
  await screen.findByRole('heading', { name: 'Remove wrong records' });
  return [...document.querySelectorAll('.op-code')].map(({ textContent }) => textContent ?? '');
}
const fileIn = (command = '') => / --file ('[^']*'|\S+)/.exec(command)?.[1];
const commandOf = (commands: string[], verb: string) => commands.find((command) => command.includes(` -- ${verb} `));

describe('the operator’s guide to a restore', () => {
  beforeEach(() => window.history.replaceState(null, '', '/operator/restore?clinic=7'));

  it('restores the downloaded archive if there is no dump, not the exported wrong records', async () => {
    const commands = await commandsFor();
    expect(fileIn(commandOf(commands, 'export'))).toBe('4711-before-restore.zip');
    expect(fileIn(commandOf(commands, 'restore'))).toBe("'<the archive you downloaded>.zip'");
  });

  it('says that the first dump of a new clinic comes tonight', async () => {
    await commandsFor({ is_first_due: true });
    expect(screen.getByText(/^There is no dump yet; the first one comes tonight\./)).toBeTruthy();
  });

  it('restores the dump if there is one', async () => {
    const commands = await commandsFor({ dumps: [{ ...DUMP, ledger_cents: 0 }] });
    expect(commandOf(commands, 'restore')).toContain(`--dump ${DUMP.folder} `);
    expect(fileIn(commandOf(commands, 'export'))).toBe('4711-before-restore.zip');
  });
});
