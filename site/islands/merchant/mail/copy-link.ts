import { toast } from '../../ui/feedback/toast.ts';

export async function copyLink(url: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(url);
    toast('Pay link copied.');
    return true;
  } catch {
    return false;
  }
}
