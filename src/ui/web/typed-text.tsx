import { Fragment } from 'react';
import { trimTypedLines } from '#platform/typed-lines.ts';

/**
 * A text that a person has typed, with its line breaks. `bdi` keeps a line's direction characters from affecting the
 * text around it.
 */
export function TypedText({ text }: { text: string }) {
  return trimTypedLines(text).map((line, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- two lines may be the same
    <Fragment key={place}>
      {place > 0 && <br />}
      <bdi>{line}</bdi>
    </Fragment>
  ));
}
