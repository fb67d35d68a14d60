import { useEffect, useId, useRef, useState } from 'react';
import type { MediaItem } from '#shared/contracts/content/content';
import type { AltBody } from '#shared/contracts/content/content-request';
import { contentLimits } from '#shared/limits';
import { formatBytes } from '#shared/text/format-bytes';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Dialog } from '#site/islands/ui/feedback/Dialog.tsx';
import { toast } from '#site/islands/ui/feedback/Toasts.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { AppLink } from '#site/islands/ui/routing/router.tsx';
import { call, readDone } from '../api.ts';
import { mediaTexts } from '../texts.ts';
import { readMedia } from './api.ts';
import { thumbOf } from './MediaCard.tsx';
import '#site/styles/parts/feedback/dialog.css';

type Props = { media: MediaItem; onClose(): void; onChanged(): void };

/** Details of one file: description, uses, address, and deletion. */
export function MediaSheet({ media, onClose, onChanged }: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const [alt, setAlt] = useState(media.alt);
  const [failure, setFailure] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const isImage = media.width !== null;
  const path = `/api/cms/media/${media.id}`;
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);

  const save = async () => {
    setBusy(true);
    const answer = await call(path, readMedia, sendJson<AltBody>('PUT', { alt }));
    setBusy(false);
    if (!answer.ok) return setFailure(answer.error.message);
    toast('Description saved');
    onChanged();
  };
  const remove = async () => {
    setBusy(true);
    const answer = await call(path, readDone, { method: 'DELETE' });
    setBusy(false);
    if (!answer.ok && answer.error.status !== 404) return setFailure(`${mediaTexts.remove}. ${answer.error.message}`);
    toast(`Deleted: ${media.originalName}`);
    onChanged();
  };
  const copy = async () => {
    const url = new URL(media.localUrl, window.location.href).href;
    await navigator.clipboard.writeText(url).then(
      () => toast('Address copied'),
      () => setFailure(`Your browser does not allow copying here: ${url}`),
    );
  };

  return (
    <dialog className="dialog media-sheet" ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <div className="dialog-head">
        <h2 id={id}>{media.originalName}</h2>
        <Button size="sm" onClick={onClose}>
          Close
        </Button>
      </div>
      {isImage && (
        <img
          className="media-large"
          src={thumbOf(media)}
          alt={media.alt}
          width={media.width ?? 0}
          height={media.height ?? 0}
        />
      )}
      <p className="app-quiet">
        {formatBytes(media.size)}
        {isImage && `, ${media.width} × ${media.height}`}
        {media.uploadedBy && `, uploaded by ${media.uploadedBy}`}
      </p>
      {failure && !isConfirming && <Banner tone="bad" lead={failure} />}
      {isImage && (
        <form
          className="app-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <Field
            id={`${id}-alt`}
            label="Description"
            hint="Describe this image for people who cannot see it."
            value={alt}
            maxLength={contentLimits.alt}
            onChange={({ target }) => setAlt(target.value)}
          />
          <div className="dialog-actions">
            <Button kind="primary" type="submit" busy={isBusy && !isConfirming}>
              Save description
            </Button>
          </div>
        </form>
      )}
      <UsedInList media={media} />
      <div className="dialog-actions">
        <Button onClick={() => void copy()}>Copy address</Button>
        <Button kind="ghost" onClick={() => setConfirming(true)}>
          Delete file
        </Button>
      </div>
      {isConfirming && (
        <Dialog
          title={mediaTexts.deleteQuestion}
          confirmLabel="Delete file"
          isDestructive
          busy={isBusy}
          failure={failure || null}
          onConfirm={() => void remove()}
          onCancel={() => setConfirming(false)}
        >
          <p>
            <strong>{media.originalName}</strong>
          </p>
          <UsedInList media={media} />
          <p>It cannot be restored.</p>
        </Dialog>
      )}
    </dialog>
  );
}

/** The articles that use this file. */
function UsedInList({ media: { usedIn } }: { media: MediaItem }) {
  if (usedIn.length === 0) return <p className="app-quiet">Not in use.</p>;
  return (
    <div>
      <p>In use in:</p>
      <ul className="media-uses">
        {usedIn.map(({ kind, id, title }) => (
          <li key={id}>
            <AppLink href={`/cms/${kind}s/edit/${id}`}>{title}</AppLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
