import type { Config } from '#config.ts';
import { type Machine, withMachine } from '#hatch/machine.ts';
import { ConfigError } from '#platform/errors.ts';

/** A command's conversation with the person at the machine. */
export interface Terminal {
  say(line: string): void;
  /** Writes an error line. */
  complain(line: string): void;
  /** Reads a hidden line; throws ConfigError without a person. */
  askSecretly(question: string): Promise<string>;
}

export interface Command {
  /** The words that are typed after `hatch`, for the help. */
  usage: string;
  about: string;
  options: Record<string, string>;
  /** The options without which the command cannot run. */
  required?: readonly string[];
  /** How many arguments the command takes after its own words. */
  takes: number;
  run(here: Here, call: Invocation): Promise<Outcome>;
}

/** The surroundings of a command: the machine's settings, and its clock. */
export interface Here {
  config: Config;
  now(): Date;
}

export interface Invocation {
  args: readonly string[];
  options: Record<string, string | undefined>;
  terminal: Terminal;
}

export interface Outcome {
  answer: unknown;
  lines: string[];
  /** Whether the command's check found a problem; the exit code is 1 then. */
  isBad?: boolean;
}

/** A command on the shop of this machine. `takesOtherData`: also on data of another version. */
export function onShop(
  work: (machine: Machine, call: Invocation) => Promise<Outcome>,
  { takesOtherData = false } = {},
): Command['run'] {
  return ({ config, now }, call) =>
    withMachine(config, now, (machine) => {
      if (machine.dataFault !== null && !takesOtherData) throw new ConfigError(machine.dataFault);
      return work(machine, call);
    });
}
