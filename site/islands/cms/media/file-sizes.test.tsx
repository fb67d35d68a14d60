import { render, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { MediaItem } from '#shared/contracts/content/content';
import { MediaCard } from './MediaCard.tsx';
import { MediaSheet } from './MediaSheet.tsx';
import { UploadRows } from './UploadRows.tsx';

const size = 1_936_000;
const media: MediaItem = {
  id: 'm1',
  originalName: 'fees.pdf',
  mimeType: 'application/pdf',
  size,
  localUrl: '/media/fees.pdf',
  isPublic: true,
  alt: '',
  width: null,
  height: null,
  variants: [],
  createdAt: '2026-11-01T10:00:00.000Z',
  uploadedBy: '',
  usedIn: [],
};

it.each([
  ['its card', <MediaCard media={media} onOpen={vi.fn()} />],
  ['its details', <MediaSheet media={media} onClose={vi.fn()} onChanged={vi.fn()} />],
  [
    'its upload',
    <UploadRows
      uploads={[
        {
          id: 1,
          file: new File([new Uint8Array(size)], 'fees.pdf'),
          uploadedShare: 0.5,
          failure: '',
          duplicate: null,
          isOnlyFile: true,
        },
      ]}
      onCancel={vi.fn()}
      onShow={vi.fn()}
    />,
  ],
])('shows a file’s size in MB to two decimals in %s', (_place, view) => {
  render(view);
  expect(screen.getByText('1.94 MB')).toBeTruthy();
});
