import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { MediaItem } from '#shared/contracts/content/content';
import type { AltBody } from '#shared/contracts/content/content-request';
import { contentLimits } from '#shared/limits';
import { call } from '#site/islands/cms/api.ts';
import { readMedia, readMediaList, uploadFile } from '#site/islands/cms/media/api.ts';
import { DropZone } from '#site/islands/cms/media/DropZone.tsx';
import { thumbOf } from '#site/islands/cms/media/MediaCard.tsx';
import { mediaTexts } from '#site/islands/cms/texts.ts';
import { sendJson } from '#site/islands/ui/api/api-client.ts';
import { Banner } from '#site/islands/ui/feedback/Banner.tsx';
import { Button } from '#site/islands/ui/form/Button.tsx';
import { Field } from '#site/islands/ui/form/Field.tsx';
import { SearchBox } from '#site/islands/ui/table/SearchBox.tsx';
import type { PictureDescription } from './tools.ts';
import '#site/styles/parts/feedback/dialog.css';
import '#site/styles/parts/feedback/progress.css';
import '#site/styles/parts/form/choices.css';
import '#site/styles/areas/cms/media.css';

export type PickedPicture = Pick<MediaItem, 'id' | 'localUrl' | 'alt' | 'width' | 'height'>;

type Props = {
  /** A dropped or pasted picture. */
  file: File | null;
  /** A picture in the text whose description is edited. */
  editedPicture: ({ src: string } & PictureDescription) | null;
  submitLabel: string;
  /** The dialog's heading, if several pictures come one after the other. */
  title?: string | undefined;
  onPicked(picture: PickedPicture, isDecorative: boolean): void;
  onDescribed?(description: PictureDescription): void;
  onRemoved?(): void;
  onClose(): void;
  /** Moves the focus once the dialog is closed; by default, the element that had it before gets it back. */
  onClosed?(): void;
};

const HINT = 'Describe this image for people who cannot see it.';

/** Picks a picture from this computer or the library, with its description. */
export function PictureDialog({
  file: initialFile,
  editedPicture,
  submitLabel,
  title = editedPicture ? 'This image' : 'Image',
  onPicked,
  onDescribed,
  onRemoved,
  onClose,
  onClosed,
}: Props) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const altField = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState(initialFile);
  const [typedAlt, setAlt] = useState(editedPicture?.alt ?? '');
  const [isDecorative, setDecorative] = useState(editedPicture?.isDecorative ?? false);
  /** The typed text is kept in case the checkbox is cleared. */
  const alt = isDecorative ? '' : typedAlt;
  const [altError, setAltError] = useState('');
  const [uploadedShare, setUploadedShare] = useState<number | null>(null);
  const [failure, setFailure] = useState('');
  /** A library picture without a description. */
  const [undescribedPicture, setUndescribedPicture] = useState<MediaItem | null>(null);
  /** The library picture with the same bytes as the chosen file. */
  const [duplicate, setDuplicate] = useState<{ media: MediaItem; message: string } | null>(null);
  const [isSaving, setSaving] = useState(false);
  const controller = useRef<AbortController>(undefined);
  const restoreFocus = useEffectEvent((opener: Element | null) => {
    if (onClosed) onClosed();
    else if (opener instanceof HTMLElement) opener.focus();
  });
  useEffect(() => {
    const opener = document.activeElement;
    dialog.current?.showModal();
    return () => {
      controller.current?.abort();
      restoreFocus(opener);
    };
  }, []);
  const preview = usePreview(file);
  const isUploading = uploadedShare !== null;
  const isBusy = isUploading || isSaving;

  const upload = async () => {
    if (!file) return;
    controller.current = new AbortController();
    setUploadedShare(0);
    setFailure('');
    const answer = await uploadFile(file, alt, { onProgress: setUploadedShare, signal: controller.current.signal });
    setUploadedShare(null);
    if (answer.ok) onPicked(answer.value, isDecorative);
    else if (answer.duplicate) setDuplicate({ media: answer.duplicate, message: answer.error.message });
    else setFailure(`${mediaTexts.upload}. ${answer.error.message}`);
  };

  const describe = async (media: MediaItem) => {
    if (alt.trim() === '') return onPicked(media, isDecorative);
    controller.current = new AbortController();
    const { signal } = controller.current;
    setSaving(true);
    setFailure('');
    const answer = await call(`/api/cms/media/${media.id}`, readMedia, {
      ...sendJson<AltBody>('PUT', { alt }),
      signal,
    });
    setSaving(false);
    if (answer.ok) onPicked(answer.value, false);
    else setFailure(answer.error.message);
  };
  const onPick = (media: MediaItem) => (media.alt === '' ? setUndescribedPicture(media) : onPicked(media, false));

  const image = editedPicture?.src ?? undescribedPicture?.localUrl ?? preview;
  return (
    <dialog className="dialog media-sheet" ref={dialog} aria-labelledby={id} onCancel={onClose}>
      <div className="dialog-head">
        <h2 id={id}>{title}</h2>
        <Button size="sm" onClick={onClose}>
          {isUploading ? 'Cancel' : 'Close'}
        </Button>
      </div>
      {failure && <Banner tone="bad" lead={failure} />}
      {duplicate && (
        <Banner
          tone="note"
          lead={duplicate.message}
          actions={
            <button
              type="button"
              className="text-button"
              // The typed description applies only if the picture has none yet.
              onClick={() =>
                void (duplicate.media.alt === '' ? describe(duplicate.media) : onPicked(duplicate.media, false))
              }
            >
              Use that one
            </button>
          }
        >
          {duplicate.media.alt && `It is described as: ${duplicate.media.alt}`}
        </Banner>
      )}
      {image && <img className="media-large" src={image} alt={typedAlt} />}
      {(editedPicture || (file && !duplicate) || undescribedPicture) && (
        <form
          className="app-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            if (alt.trim() === '' && !isDecorative) {
              setAltError('Please describe the image, or tick that it is decorative.');
              return altField.current?.focus();
            }
            if (editedPicture) onDescribed?.({ alt, isDecorative });
            else if (!isBusy) void (undescribedPicture ? describe(undescribedPicture) : upload());
          }}
        >
          <Field
            id={`${id}-alt`}
            label="Description"
            hint={HINT}
            value={typedAlt}
            maxLength={contentLimits.alt}
            disabled={isDecorative}
            error={altError || undefined}
            ref={altField}
            onChange={({ target }) => {
              setAlt(target.value);
              setAltError('');
            }}
          />
          <div className="choices">
            <label>
              <input
                type="checkbox"
                checked={isDecorative}
                onChange={({ target }) => {
                  setDecorative(target.checked);
                  setAltError('');
                }}
              />
              Decorative: no description needed
            </label>
          </div>
          {isUploading && (
            <div className="progress">
              <progress aria-label="Upload" max={1} value={uploadedShare ?? undefined} />
            </div>
          )}
          <div className="dialog-actions">
            {editedPicture && <Button onClick={onRemoved}>Remove image</Button>}
            <Button kind="primary" type="submit" busy={isBusy}>
              {editedPicture ? 'Save description' : submitLabel}
            </Button>
          </div>
        </form>
      )}
      {!editedPicture && !undescribedPicture && !isBusy && (
        <DropZone
          label={file ? 'Choose another image' : 'Choose an image'}
          hint={`Or drop it here. PNG, JPEG, WebP or GIF, ${mediaTexts.sizeLimit}.`}
          accepted="pictures"
          kind={file ? 'secondary' : 'primary'}
          onFiles={([chosen]) => {
            setFile(chosen ?? null);
            setFailure('');
            setDuplicate(null);
          }}
        />
      )}
      {!editedPicture && !file && !undescribedPicture && <Library onPicked={onPick} />}
    </dialog>
  );
}

function usePreview(file: File | null): string {
  const [url, setUrl] = useState('');
  useEffect(() => {
    if (!file) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => URL.revokeObjectURL(objectUrl);
  }, [file]);
  return url;
}

/** The newest pictures of the library, or those that match the search. */
function Library({ onPicked }: { onPicked(media: MediaItem): void }) {
  const [search, setSearch] = useState('');
  const [pictures, setPictures] = useState<MediaItem[] | null>(null);
  useEffect(() => {
    let isUnmounted = false;
    const query = new URLSearchParams({ type: 'image', size: '12', q: search });
    void call(`/api/cms/media?${query}`, readMediaList).then((answer) => {
      if (!isUnmounted && answer.ok) setPictures(answer.value);
    });
    return () => {
      isUnmounted = true;
    };
  }, [search]);
  return (
    <section className="library" aria-label="From the library">
      <h3>From the library</h3>
      <SearchBox searchedFields="name or description" value={search} onSearch={setSearch} />
      {pictures?.length === 0 && (
        <p className="app-quiet">{search ? `No file matches "${search}".` : mediaTexts.emptyText}</p>
      )}
      <ul className="library-grid">
        {pictures?.map((media) => (
          <li key={media.id}>
            <button type="button" onClick={() => onPicked(media)} title={media.originalName}>
              <img
                src={thumbOf(media)}
                alt={media.alt || media.originalName}
                width={media.width ?? undefined}
                height={media.height ?? undefined}
                loading="lazy"
              />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
