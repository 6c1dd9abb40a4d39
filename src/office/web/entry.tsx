import '#platform/web/tokens.css';
import '#office/web/dark.css';
import '#office/web/office.css';
import '#office/web/mantine.ts';
import { createRoot } from 'react-dom/client';
import { initialise } from '#accounts/web/session.ts';
import { OfficeApp } from '#office/web/office-app.tsx';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no #root to show the office in.');
void initialise();
createRoot(root).render(<OfficeApp />);
