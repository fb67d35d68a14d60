import { expect, test } from 'vitest';
import { contentLimits } from '#shared/limits';
import { refusalOf, sortFiles } from './check-file.ts';

const file = (name: string, type: string, size = 1500) => ({ name, type, size });

test('a file of another type is refused, and so is a PDF if only pictures are accepted', () => {
  expect(refusalOf(file('clinic.mov', 'video/quicktime'), 'pictures')).toBe(
    'clinic.mov is not a PNG, JPEG, WebP or GIF image.',
  );
  expect(refusalOf(file('fees.pdf', 'application/pdf'), 'pictures')).toBe(
    'fees.pdf is not a PNG, JPEG, WebP or GIF image.',
  );
  expect(refusalOf(file('fees.pdf', 'application/pdf'), 'files')).toBeNull();
  expect(refusalOf(file('setup.exe', 'application/x-msdownload'), 'files')).toBe(
    'setup.exe is not a PNG, JPEG, WebP or GIF image or a PDF.',
  );
  expect(refusalOf(file('unknown', ''), 'files')).toContain('unknown is not');
});

test('a file without a type is judged by its name', () => {
  for (const name of ['a.webp', 'b.JPG', 'c.d.png']) expect(refusalOf(file(name, ''), 'pictures'), name).toBeNull();
  expect(refusalOf(file('fees.pdf', ''), 'files')).toBeNull();
  expect(refusalOf(file('fees.pdf', ''), 'pictures')).toContain('fees.pdf is not');
  expect(refusalOf(file('photo.heic', ''), 'pictures')).toContain('photo.heic is not');
});

test('a file that is too large is refused with its size and the limit', () => {
  expect(refusalOf(file('scan.png', 'image/png', contentLimits.upload), 'pictures')).toBeNull();
  expect(refusalOf(file('scan.png', 'image/png', contentLimits.upload + 1), 'pictures')).toBe(
    'scan.png is 25.1 MB. Files can be up to 25 MB.',
  );
  expect(refusalOf(file('scan.png', 'image/png', 31_600_000), 'files')).toBe(
    'scan.png is 31.6 MB. Files can be up to 25 MB.',
  );
});

test('files are sorted into accepted ones and refusals', () => {
  const good = new File(['x'], 'a.png', { type: 'image/png' });
  const bad = new File(['x'], 'b.heic', { type: 'image/heic' });
  expect(sortFiles([good, bad], 'pictures')).toEqual({
    good: [good],
    refused: ['b.heic is not a PNG, JPEG, WebP or GIF image.'],
  });
});
