import { type Ref, useState } from 'react';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { toast } from '#site/islands/ui/feedback/toast.ts';
import { formatWhen } from '#site/islands/ui/format-moment.ts';
import type { Item } from '../parse-response.ts';
import { compare, NOT_LOADED } from './compare.ts';

type Props = {
  theirs: Item;
  readMine(): { title: string; content: string };
  onMine(): void;
  onTheirs(): void;
  ref: Ref<HTMLDivElement>;
};

/** Another member saved first. Both texts are kept until the writer chooses one. */
export function ConflictBanner({ theirs, readMine, onMine, onTheirs, ref }: Props) {
  const [mine, setMine] = useState<{ title: string; content: string } | null>(null);
  const Compare = compare.loaded();
  const show = () =>
    compare.load().then(
      () => setMine(readMine()),
      () => toast(NOT_LOADED),
    );
  return (
    <>
      <Banner
        tone="warn"
        role="alert"
        ref={ref}
        lead="Someone else changed this. Your text is kept."
        actions={
          <>
            <button type="button" className="text-button" onClick={() => void show()}>
              Compare
            </button>
            <button type="button" className="text-button" onClick={onMine}>
              Use mine
            </button>
            <button type="button" className="text-button" onClick={onTheirs}>
              Take theirs
            </button>
          </>
        }
      >
        {theirs.updatedBy || 'Somebody'} saved version {theirs.version}, {formatWhen(theirs.updatedAt)}.
      </Banner>
      {mine && Compare && (
        <Compare
          title="Your text and theirs"
          left={{ name: 'Yours', text: mine }}
          right={{ name: 'Theirs', text: theirs }}
          onClose={() => setMine(null)}
        />
      )}
    </>
  );
}
