import { Fragment } from 'react';
import { typedLines } from '#platform/typed-lines.ts';

/** A person's own words, line by line; characters that turn the direction of text turn nothing around them. */
export function TypedText({ text }: { text: string }) {
  return typedLines(text).map((line, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- two lines may be the same
    <Fragment key={place}>
      {place > 0 && <br />}
      <bdi>{line}</bdi>
    </Fragment>
  ));
}
