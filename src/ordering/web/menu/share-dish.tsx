import { m } from '#messages';
import { nativeShell } from '#platform/web/native/native-shell.ts';

/** Sends a dish's link to somebody, where the device has a way to. */
export function ShareDish({ item, shopName }: { item: { id: string; name: string }; shopName: string }) {
  const { app, share } = nativeShell();
  if (!app && !('share' in navigator)) return null;
  const url = `${app?.shop ?? location.origin}/menu?item=${item.id}`;
  return (
    <button
      type="button"
      className="link min-h-11 justify-self-start"
      onClick={() => void share({ title: item.name, text: `${item.name} · ${shopName}`, url })}
    >
      {m.menu_share()}
    </button>
  );
}
