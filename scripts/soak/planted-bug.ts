/** A plausible bug: a change of the shop's code. */
export interface PlantedBug extends CodeChange {
  bug: string;
  /** The test file that should find the bug, and runs first. */
  test: string;
  /** Other guards against the same loss, which the bug removes too. */
  also?: readonly CodeChange[];
}

export interface CodeChange {
  file: string;
  /** Occurs once in the file. */
  from: string;
  to: string;
}
