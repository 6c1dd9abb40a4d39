import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Banner } from '#kitchen/web/board/banner.tsx';
import { useBoardControls } from '#kitchen/web/board/board-controls.ts';
import { useShift } from '#kitchen/web/board/shift.ts';
import { m } from '#messages';
import type { Printer } from '#printing/printer.ts';
import { nativeShell } from '#platform/web/native/native-shell.ts';
import { unreachedWords } from '#printing/web/lan/unreached-words.ts';
import { useLanPrinting } from '#printing/web/lan/use-lan-printing.ts';
import { useLocalAccess } from '#printing/web/lan/use-local-access.ts';
import { lanOrigin } from '#printing/lan-origin.ts';

/** Prints from this board, and says what stands in its way. */
export function LanPrinting({ printers }: { printers: readonly Printer[] }) {
  const { store } = useBoardControls();
  const { isOn } = useShift();
  const { heard, ask } = useLanPrinting(store.id, printers, isOn);
  const own = printers.filter(({ kind }) => kind === 'browser');
  const access = useLocalAccess();
  const blocked = useBlockedOrigins();
  if (!isOn || own.length === 0) return null;
  if (own.some(({ address }) => blocked.has(lanOrigin(address)))) return <ReloadBanner />;
  const silent = own.flatMap((printer) => {
    const said = heard.get(printer.id);
    return said && 'unreached' in said ? [{ printer, ...said }] : [];
  });
  const isHeard = heard.size > silent.length;
  if (access === 'prompt' && nativeShell().print === null && !isHeard) {
    return (
      <Banner icon="print">
        <span data-lan="prompt">{m.printing_browser_prompt()}</span>
        <Button variant="white" color="dark" onClick={ask}>
          {m.printing_browser_allow()}
        </Button>
      </Banner>
    );
  }
  const [first] = silent;
  // Another board may reach it: the printer's own banner says when none does.
  if (!first) return null;
  return (
    <Banner icon="print" tone={first.unreached === 'unreached' ? 'plain' : 'bad'}>
      <span data-lan={first.unreached}>
        <strong>{first.printer.name}:</strong> {unreachedWords(first.unreached, first.printer, first.detail)}
      </span>
      <Button variant="white" color="dark" onClick={ask}>
        {m.printing_browser_try()}
      </Button>
    </Banner>
  );
}

function ReloadBanner() {
  return (
    <Banner icon="print" tone="bad">
      <span data-lan="reload">{m.printing_browser_reload()}</span>
      <Button variant="white" color="dark" onClick={() => location.reload()}>
        {m.printing_browser_reload_now()}
      </Button>
    </Banner>
  );
}

/** The origins that the page's own policy kept it from: it is older than the printer. */
function useBlockedOrigins(): ReadonlySet<string> {
  const [origins, setOrigins] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const note = ({ blockedURI, effectiveDirective }: SecurityPolicyViolationEvent) => {
      if (effectiveDirective !== 'connect-src' || !URL.canParse(blockedURI)) return;
      const { protocol, hostname, port } = new URL(blockedURI);
      setOrigins((known) =>
        new Set(known).add(`${protocol}//${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`),
      );
    };
    document.addEventListener('securitypolicyviolation', note);
    return () => document.removeEventListener('securitypolicyviolation', note);
  }, []);
  return origins;
}
