import { dropToast, toast } from '#site/islands/ui/feedback/toast.ts';

let said = 0;

/** Answers whether the browser let it. */
export async function copyLink(url: string): Promise<boolean> {
  // What was said of an earlier press may not be true of this one.
  dropToast(said);
  try {
    await navigator.clipboard.writeText(url);
    said = toast('Pay link copied.');
    return true;
  } catch {
    return false;
  }
}
