import { useState } from 'react';
import type { Picture } from '#shared/contracts/content/content';
import { Button } from '#site/islands/ui/form/Button.tsx';
import type { Featured } from '../load-article.ts';
import { PictureDialog } from '../text/PictureDialog.tsx';

type Props = { saved: Picture | null; featured: Featured; onFeatured(featured: Featured): void };

/** The featured image of a post. */
export function FeaturedPanel({ saved, featured, onFeatured }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [dropped, setDropped] = useState<File | null>(null);
  const chosen = featured.kind === 'chosen' ? featured.picture : null;
  const shown = chosen
    ? { url: chosen.localUrl, alt: chosen.alt, width: chosen.width ?? 16, height: chosen.height ?? 9 }
    : featured.kind === 'as-saved'
      ? saved
      : null;
  return (
    <section
      className="card editor-panel"
      aria-labelledby="featured"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        const file = [...event.dataTransfer.files].find(({ type }) => type.startsWith('image/'));
        if (!file) return;
        setDropped(file);
        setOpen(true);
      }}
    >
      <h2 id="featured">Featured image</h2>
      {shown && (
        <img className="editor-featured" src={shown.url} alt={shown.alt} width={shown.width} height={shown.height} />
      )}
      <div className="editor-buttons">
        <Button
          onClick={() => {
            setDropped(null);
            setOpen(true);
          }}
        >
          {shown ? 'Change image' : 'Choose image'}
        </Button>
        {shown && <Button onClick={() => onFeatured({ kind: 'removed' })}>Remove image</Button>}
      </div>
      {isOpen && (
        <PictureDialog
          file={dropped}
          shown={null}
          verb="Use as featured image"
          onClose={() => setOpen(false)}
          onPicked={(picture) => {
            setOpen(false);
            onFeatured({ kind: 'chosen', picture });
          }}
        />
      )}
    </section>
  );
}
