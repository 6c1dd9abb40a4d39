// Every call of Playwright reads its stack, and copies each of fifty frames to look for a source map: a sixth of a worker's
// processor time. Only the files that Playwright compiles have a map.
const mapStack = Error.prepareStackTrace;
if (mapStack) {
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => {
      // Playwright leaves its own frames out of reports, and does not know them as `async /path`.
      if (!isCompiled(frame.getFileName())) return `\n    at ${String(frame).replace(/^async (?=\/)/, '')}`;
      const mapped = String(mapStack(error, [frame]));
      return mapped.slice(mapped.lastIndexOf('\n    at '));
    });
    return `${String(error)}${lines.join('')}`;
  };
}

function isCompiled(file: string | null | undefined): boolean {
  return Boolean(file) && !file?.startsWith('node:') && !file?.includes('/node_modules/');
}
