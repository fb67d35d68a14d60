import type { MediaItem } from '#shared/contracts/content/content';
import { formatBytes } from '#shared/text/format-bytes';
import { Icon } from '#site/islands/ui/Icon.tsx';

/** The address of the picture's smallest copy. */
export const thumbOf = ({ localUrl, variants }: MediaItem): string =>
  [...variants].sort((a, b) => a.width - b.width)[0]?.url ?? localUrl;

export function MediaCard({ media, onOpen }: { media: MediaItem; onOpen(): void }) {
  const { originalName, size, width, height, alt, usedIn } = media;
  return (
    <li className="media-card">
      <button type="button" className="media-open" onClick={onOpen}>
        <span className="media-frame">
          {width && height ? (
            <img src={thumbOf(media)} alt="" width={width} height={height} loading="lazy" decoding="async" />
          ) : (
            <span className="media-document">PDF</span>
          )}
        </span>
        <span className="media-name">{originalName}</span>
      </button>
      <span className="media-facts">
        {formatBytes(size)}
        {usedIn.length > 0 && <span>in use: {usedIn.length}</span>}
        {width !== null && alt === '' && (
          <span className="media-warn">
            <Icon name="warn" size="xs" />
            No description
          </span>
        )}
      </span>
    </li>
  );
}
