import { listPictureOf } from '#menu/list-picture.ts';
import { sourcesOf } from '#uploads/picture-sizes.ts';

interface DishPictureProps {
  src: string | null;
  /** Where it stands, if that is a list or the sheet that opens from one. */
  place?: 'list' | 'sheet';
  /** The first pictures of a page load at once, the others as they come near. */
  isFirst?: boolean;
  /** How wide it is shown, as `sizes` says it: for pictures that are kept in several widths. */
  sizes: string;
  className?: string;
}

/** A dish, 4:3. Its name stands beside it, so the picture itself is silent; without one a plain plate keeps the place. */
export function DishPicture({ src, place, isFirst = false, sizes, className = '' }: DishPictureProps) {
  if (!src) {
    return (
      <span className={`grid place-items-center bg-sunken text-line-strong ${className}`} aria-hidden="true">
        <svg viewBox="0 0 40 40" className="size-1/3" fill="none" stroke="currentColor" strokeWidth="1.5">
          <circle cx="20" cy="20" r="13" />
          <circle cx="20" cy="20" r="8.5" />
        </svg>
      </span>
    );
  }
  const sources = sourcesOf(src);
  const inList = listPictureOf(src);
  const picture = (
    <img
      src={place === 'list' ? inList : src}
      {...(sources && { srcSet: sources.webp, sizes })}
      alt=""
      width={400}
      height={300}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding="async"
      {...(isFirst && { fetchPriority: 'high' as const })}
      className={`object-cover ${className}`}
      // What the list showed stands there until the large one has come.
      {...(place === 'sheet' && inList !== src && { style: { background: `center / cover url(${inList})` } })}
    />
  );
  if (!sources) return picture;
  return (
    <picture>
      <source type="image/avif" srcSet={sources.avif} sizes={sizes} />
      {picture}
    </picture>
  );
}
