import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Ended {
  code: number | null;
  /** Its error output. */
  said: string;
}

/** Runs the real server, which is expected to end its start by itself. `flags` are Node's. */
export async function startOnce(
  environment: Record<string, string>,
  args: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<Ended> {
  const server = spawn(process.execPath, [...flags, 'src/server.ts', ...args], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'silent', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [code] = (await once(server, 'close')) as [number | null];
  return { code, said };
}
