import { contentLimits } from '#shared/limits';

type Props = { excerpt: string; onExcerpt(excerpt: string): void };

/** What lists show of a post; if left empty, the beginning of its text. */
export function ExcerptPanel({ excerpt, onExcerpt }: Props) {
  return (
    <section className="card editor-panel" aria-labelledby="excerpt-title">
      <h2 id="excerpt-title">Excerpt</h2>
      <div className="field">
        <label className="label" htmlFor="excerpt">
          What lists say of it<span className="label-note"> (optional)</span>
        </label>
        <span className="hint" id="excerpt-hint">
          Left empty, the beginning of the text.
        </span>
        <textarea
          id="excerpt"
          className="input input-tall"
          rows={4}
          maxLength={contentLimits.excerpt}
          value={excerpt}
          aria-describedby="excerpt-hint"
          onChange={({ target }) => onExcerpt(target.value)}
        />
      </div>
    </section>
  );
}
