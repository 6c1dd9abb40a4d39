import { createRoot, type Root } from 'react-dom/client';
import { vi } from 'vitest';

function ignore(): void {}

/** Components that render nothing need only this much of a browser. */
const stage = { nodeType: 9, activeElement: null, addEventListener: ignore, removeEventListener: ignore };
const container = { ...stage, nodeType: 1, nodeName: 'DIV', tagName: 'DIV', ownerDocument: stage, textContent: '' };

/** A root for components that only call hooks. `vi.unstubAllGlobals` takes its globals away. */
export function createHookRoot(): Root {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', { ...stage, defaultView: globalThis, documentElement: { lang: 'en' } });
  vi.stubGlobal('HTMLIFrameElement', ignore);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  return createRoot(container as unknown as Element);
}
