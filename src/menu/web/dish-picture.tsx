import { bitmapSrcsetOf, listPictureUrl } from '#menu/drawn-pictures.ts';
import { srcsetsOf } from '#uploads/picture-sizes.ts';

interface DishPictureProps {
  src: string | null;
  place?: 'list' | 'sheet';
  /**
   * Whether the picture is among the page's first pictures, which load immediately. The others load when they come near
   * the screen.
   */
  isFirst?: boolean;
  /** The displayed width, in the format of HTML's `sizes`, for pictures that are stored in several widths. */
  sizes: string;
  className?: string;
}

// Asynchronous decoding would cost a first picture a second frame.
const firstPicture = { loading: 'eager', decoding: 'sync', fetchPriority: 'high' } as const;
const laterPicture = { loading: 'lazy', decoding: 'async' } as const;

/**
 * A dish's picture, 4:3, without alternative text because the dish's name is beside it. A drawn plate replaces a
 * missing picture.
 */
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
  const sources = srcsetsOf(src);
  const inList = listPictureUrl(src);
  const srcSet = sources?.webp ?? (place ? null : bitmapSrcsetOf(src));
  const picture = (
    <img
      src={place === 'list' ? inList : src}
      {...(srcSet && { srcSet, sizes })}
      alt=""
      width={400}
      height={300}
      {...(isFirst ? firstPicture : laterPicture)}
      // The large picture would hold up the first frame of its sheet.
      {...(place === 'sheet' && { decoding: 'async' as const })}
      className={`object-cover ${className}`}
      // The small picture from the list is shown until the large one has loaded.
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
