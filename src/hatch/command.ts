import type { Config } from '#config.ts';
import { type Machine, withMachine } from '#hatch/machine.ts';
import { ConfigError } from '#platform/errors.ts';

/** A command's input and output: the terminal of the person who runs it. */
export interface Terminal {
  say(line: string): void;
  /** Writes an error line. */
  complain(line: string): void;
  /** Reads a line without echoing it; throws ConfigError if the line is empty. */
  askSecretly(question: string): Promise<string>;
}

export interface Command {
  /** The command with its arguments and options, as the help shows it after `hatch`. */
  usage: string;
  about: string;
  options: Record<string, string>;
  required?: readonly string[];
  /** The number of positional arguments after the command's name. */
  takes: number;
  run(here: CommandContext, call: Invocation): Promise<CommandOutcome>;
}

export interface CommandContext {
  config: Config;
  now(): Date;
}

export interface Invocation {
  args: readonly string[];
  options: Record<string, string | undefined>;
  terminal: Terminal;
}

export interface CommandOutcome {
  answer: unknown;
  lines: string[];
  /** Whether the command's check found a problem; the exit code is 1 then. */
  isBad?: boolean;
}

/**
 * Makes a command that runs on this machine's shop. `takesOtherData`: the command also runs on data that another
 * version of Hatch wrote.
 */
export function shopCommand(
  work: (machine: Machine, call: Invocation) => Promise<CommandOutcome>,
  { takesOtherData = false } = {},
): Command['run'] {
  return ({ config, now }, call) =>
    withMachine(config, now, (machine) => {
      if (machine.dataFault !== null && !takesOtherData) throw new ConfigError(machine.dataFault);
      return work(machine, call);
    });
}
