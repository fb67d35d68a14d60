import { variantWidths } from '#shared/contracts/content/content-values';

const QUALITY = 0.82;
/** Types that are copied: a copy of an animated picture would stand still. */
const COPIED = /^image\/(png|jpeg|webp)$/;

/** The picture in the widths that pages need, none wider than the original; none if this browser cannot decode it. */
export async function makeVariants(file: Blob): Promise<Blob[]> {
  if (!COPIED.test(file.type)) return [];
  let picture: ImageBitmap;
  try {
    picture = await createImageBitmap(file);
  } catch {
    return [];
  }
  const blobs: Blob[] = [];
  for (const width of variantWidths.filter((one) => one < picture.width)) {
    const canvas = document.createElement('canvas');
    canvas.width = width;
    canvas.height = Math.max(1, Math.round((picture.height * width) / picture.width));
    const context = canvas.getContext('2d');
    if (!context) break;
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/webp', QUALITY));
    if (blob) blobs.push(blob);
  }
  picture.close();
  return blobs;
}
