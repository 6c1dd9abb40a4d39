import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { askForIdentityProof, identityProofRequest } from '#accounts/web/factors/proof-request.ts';
import { setStaleSignInHandler } from '#platform/web/api.ts';

const IdentityProofDialog = lazy(async () => ({
  default: (await import('#accounts/web/factors/proof-dialog.tsx')).IdentityProofDialog,
}));

/**
 * Shows the proof dialog above all other dialogs when a call needs a fresh sign-in. After the proof the call continues.
 */
export function ProofPrompt() {
  const request = useSyncExternalStore(identityProofRequest.subscribe, identityProofRequest.read);
  useEffect(() => {
    setStaleSignInHandler(askForIdentityProof);
    // The listener runs in the capture phase, because Escape would otherwise close the dialogs below as well.
    const close = (event: KeyboardEvent) => {
      const open = identityProofRequest.read();
      if (event.key !== 'Escape' || event.isComposing || !open) return;
      event.stopImmediatePropagation();
      open.end(false);
    };
    addEventListener('keydown', close, { capture: true });
    return () => removeEventListener('keydown', close, { capture: true });
  }, []);
  return (
    request && (
      <Suspense>
        <IdentityProofDialog onEnd={request.end} />
      </Suspense>
    )
  );
}
