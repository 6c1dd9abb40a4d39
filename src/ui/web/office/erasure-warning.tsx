import { m } from '#messages';

export function ErasureWarning({ goes }: { goes: string }) {
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
