import { sourcesOf } from '#uploads/picture-sizes.ts';

interface DishPictureProps {
  src: string | null;
  /** The first pictures of a page load at once, the others as they come near. */
  isFirst?: boolean;
  /** How wide it is shown, as `sizes` says it: for pictures that are kept in several widths. */
  sizes: string;
  className?: string;
}

/** A dish, 4:3. Its name stands beside it, so the picture itself is silent; without one a plain plate keeps the place. */
export function DishPicture({ src, isFirst = false, sizes, className = '' }: DishPictureProps) {
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
  const picture = (
    <img
      src={src}
      {...(sources && { srcSet: sources.webp, sizes })}
      alt=""
      width={400}
      height={300}
      loading={isFirst ? 'eager' : 'lazy'}
      decoding="async"
      {...(isFirst && { fetchPriority: 'high' as const })}
      className={`object-cover ${className}`}
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
