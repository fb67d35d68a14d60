import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listHeaders } from '#shared/contracts/lists/list-values';
import { calls } from '#tests/support/components/calls';
import { PictureDialog } from './PictureDialog.tsx';

beforeEach(() => {
  localStorage.setItem('cms_token', `a.${btoa(JSON.stringify({ exp: 4_102_444_800 }))}.c`);
  calls.answer(
    ({ pathname }) => pathname === '/api/cms/media',
    ({ fulfill }) => fulfill({ json: [], headers: { [listHeaders.total]: '0' } }),
  );
});

const file = (name: string, type: string) => new File(['x'], name, { type });
const chooseFile = (label: string, chosen: File) =>
  fireEvent.change(screen.getByLabelText(label), { target: { files: [chosen] } });

/** Opens the dialog for an image of the text that has no description. Returns the callback of its Save button. */
function openForEditing({ isDecorative }: { isDecorative: boolean }) {
  const onDescribed = vi.fn();
  render(
    <PictureDialog
      file={null}
      editedPicture={{ src: '/media/a.png', alt: '', isDecorative }}
      submitLabel="Insert image"
      onPicked={vi.fn()}
      onDescribed={onDescribed}
      onClose={vi.fn()}
    />,
  );
  return onDescribed;
}

describe('the dialog for an image', () => {
  it('refuses a file of another type when it is chosen, and keeps the description for the next file', async () => {
    render(
      <PictureDialog
        file={null}
        editedPicture={null}
        submitLabel="Insert image"
        onPicked={vi.fn()}
        onClose={vi.fn()}
      />,
    );
    chooseFile('Choose an image', file('setup.exe', 'application/x-msdownload'));
    expect(await screen.findByText('setup.exe is not a PNG, JPEG, WebP or GIF image.')).toBeTruthy();
    expect(screen.queryByLabelText('Description')).toBeNull();
    chooseFile('Choose an image', file('desk.png', 'image/png'));
    await userEvent.type(await screen.findByLabelText('Description'), 'A desk');
    expect(screen.queryByText(/setup\.exe/)).toBeNull();
    chooseFile('Choose another image', file('fees.pdf', 'application/pdf'));
    expect(await screen.findByText('fees.pdf is not a PNG, JPEG, WebP or GIF image.')).toBeTruthy();
    chooseFile('Choose another image', file('door.png', 'image/png'));
    expect(screen.getByLabelText<HTMLInputElement>('Description').value).toBe('A desk');
  });

  it('requires a description, or the checkbox for a decorative image', async () => {
    const onDescribed = openForEditing({ isDecorative: false });
    const save = screen.getByRole('button', { name: 'Save description', hidden: true });
    await userEvent.click(save);
    expect(screen.getByText('Please describe the image, or tick that it is decorative.')).toBeTruthy();
    expect(onDescribed).not.toHaveBeenCalled();
    await userEvent.click(screen.getByLabelText('Decorative: no description needed'));
    await userEvent.click(save);
    expect(onDescribed).toHaveBeenCalledWith({ alt: '', isDecorative: true });
  });

  it('does not ask again about a decorative image', async () => {
    const onDescribed = openForEditing({ isDecorative: true });
    expect(screen.getByLabelText<HTMLInputElement>('Decorative: no description needed').checked).toBe(true);
    await userEvent.click(screen.getByRole('button', { name: 'Save description', hidden: true }));
    expect(onDescribed).toHaveBeenCalledWith({ alt: '', isDecorative: true });
  });
});
