import '#platform/web/tokens.css';
import '#office/web/dark.css';
import '#office/web/office.css';
import '#ui/web/office/mantine-styles.ts';
import { createRoot } from 'react-dom/client';
import { startSession } from '#accounts/web/session.ts';
import { OfficeApp } from '#office/web/office-app.tsx';
import { setApiBase } from '#platform/web/api.ts';
import { readPageData } from '#platform/web/page-data.ts';

try {
  boot();
} catch (error) {
  // oxlint-disable-next-line no-console -- the specification requires boot errors on the console
  console.error('The page did not start', error);
}

function boot(): void {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no #root to show the office in.');
  const { config } = readPageData();
  setApiBase(config.apiUrl, config.epoch);
  void startSession();
  createRoot(root).render(<OfficeApp />);
}
