import { render, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Mails as MailsSeen } from '#shared/contracts/operators/operator';
import { Mails } from './Mails.tsx';

const at = '2026-03-04T15:00:00.000Z';
const NONE: MailsSeen = { due: 0, failed: 0, waiting: 0, oldest: null, items: [], told: [] };
const renderMails = (mails: Partial<MailsSeen>) =>
  render(<Mails mails={{ ...NONE, ...mails }} clinic={0} onDone={() => undefined} />);

describe('the operator’s unsent emails', () => {
  it('are reported as all sent only if none is waiting', () => {
    const { unmount } = renderMails({ waiting: 1 });
    expect(screen.queryByText('Every email was sent.')).toBeNull();
    expect(screen.getByText('1 new email waits for the first try.')).toBeTruthy();
    unmount();
    renderMails({});
    expect(screen.getByText('Every email was sent.')).toBeTruthy();
  });

  it('show the number of failed attempts and the time of the next one', () => {
    const email = { id: 'i', kind: 'invitation', about: '', state: 'due', tries: 2, at, next_at: at };
    renderMails({ due: 1, oldest: at, items: [email] });
    expect(screen.getByText(/^next try Mar 4, 2026, .*, 2 failed tries$/)).toBeTruthy();
  });

  it('have no count if only one was sent', () => {
    renderMails({ told: [{ delivery: 'delivered', n: 1 }] });
    expect(screen.getByText(/^The last sent email: 1 /)).toBeTruthy();
  });
});
