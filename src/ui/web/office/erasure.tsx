import { m } from '#messages';

/** Before somebody is erased: the data that goes, and the data that must stay. */
export function Erasure({ goes }: { goes: string }) {
  return (
    <>
      <p>{goes}</p>
      <p>{m.office_forget_stays()}</p>
      <p>
        <strong>{m.office_forget_for_good()}</strong>
      </p>
    </>
  );
}
