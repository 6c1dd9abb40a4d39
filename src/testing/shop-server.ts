import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:net';

/** The real server's process, with a clock that can be moved. */
export interface ShopServer {
  url: string;
  restart(signal?: NodeJS.Signals, settings?: Record<string, string>): Promise<void>;
  wait(minutes: number): Promise<void>;
  setClock(minutes: number): Promise<void>;
  /** Undoes `wait` and `setClock`. */
  putClockRight(): Promise<void>;
  processId(): number;
  /** What it has printed on its console. */
  printed(): string;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Of what the server prints, in characters. */
const maxKept = 20_000;

/** `args` are for the server, `flags` for Node. The settings may depend on the server's own address. */
export async function startServer(
  environment: (url: string) => Record<string, string>,
  args: readonly string[],
  flags: readonly string[],
): Promise<ShopServer> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const env = { ...process.env, NODE_ENV: 'production', PORT: String(port), ...environment(url) };
  let passed = 0;
  let jumped = 0;
  let printed = '';
  const start = async (): Promise<ChildProcess> => {
    passed = 0;
    jumped = 0;
    const before = ['moved-clock', 'record-here', 'journey-server'].flatMap((name) => [
      '--import',
      `./src/testing/${name}.ts`,
    ]);
    const program = [...flags, ...before, 'src/server.ts', ...args];
    const started = spawn(process.execPath, program, {
      env,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    started.stdout?.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-maxKept)));
    await waitForHealth(url, started);
    return started;
  };
  let child = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  const tellClock = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('message', () => resolve());
      child.send({ ahead: passed + jumped, passed });
    });
  return {
    url,
    async restart(signal = 'SIGTERM', settings = {}) {
      await end(signal);
      Object.assign(env, settings);
      child = await start();
    },
    wait(minutes) {
      passed += minutes * 60_000;
      return tellClock();
    },
    setClock(minutes) {
      jumped = minutes * 60_000;
      return tellClock();
    },
    async putClockRight() {
      const isMoved = passed > 0 || jumped !== 0;
      passed = 0;
      jumped = 0;
      if (isMoved) await tellClock();
    },
    processId: () => child.pid ?? 0,
    printed: () => printed,
    end,
  };
}

function waitForHealth(url: string, child: ChildProcess): Promise<void> {
  return waitUntil('The server did not become healthy within a minute.', () => {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`);
    return fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
  });
}

/** Repeats the question for at most a minute; then throws `complaint`. */
export async function waitUntil(complaint: string, isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 25) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(complaint);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
