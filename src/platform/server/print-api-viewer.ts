import { readApiViewer } from '#platform/server/api-viewer.ts';

// A process of its own: the package is a module that contains the script as text, and a process never frees a module.
process.stdout.write(await readApiViewer());
