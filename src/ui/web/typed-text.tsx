import { Fragment } from 'react';
import { trimTypedLines } from '#platform/typed-lines.ts';

/** A text that a person typed, line by line; its direction characters affect nothing around it. */
export function TypedText({ text }: { text: string }) {
  return trimTypedLines(text).map((line, place) => (
    // oxlint-disable-next-line react/no-array-index-key -- two lines may be the same
    <Fragment key={place}>
      {place > 0 && <br />}
      <bdi>{line}</bdi>
    </Fragment>
  ));
}
